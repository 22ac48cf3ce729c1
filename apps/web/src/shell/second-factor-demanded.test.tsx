/** A company begins to demand the second factor while a session without it is open. */
import { readUserSettings } from "@malote/contracts/company";
import { authorize, readRecoveryCodes } from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { account } from "../account/feature.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { buildToken } from "../testing/token.ts";
import { call } from "./call.ts";
import { readToken, storeToken } from "./session.ts";

const securityPath = "/minha-conta/seguranca";
const features = [account, placeholderScreens("BatchesPage")];
const demanding = buildToken({
  jti: "0198f000-0000-7000-8000-0000000000ff",
  two_factor: { enabled: false, enforced: true },
});

beforeEach(() => {
  fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: true }));
});

/** Refuses several calls of a page at once, as the server does from then on. */
async function refuseFromNowOn() {
  fakeServer.on(readBalance, () => refuse("second_factor_required"));
  await act(() => Promise.allSettled([call(readBalance), call(readBalance), call(readBalance)]));
}

it("SES-046 the first refusal redirects an open session to the security page", async () => {
  fakeServer.on(authorize, () => ({
    access_token: demanding,
    token_type: "Bearer" as const,
    expires_in: 1800,
  }));
  const app = renderApp("/pagamentos/lotes", { features });
  await screen.findByText(/48\.210,37/);
  await refuseFromNowOn();
  await waitFor(() => expect(app.address()).toBe(`${securityPath}?redirectedFrom=%2Fpagamentos%2Flotes`));
  expect((await screen.findByRole("alert")).textContent).toContain("reative a Autenticação em 2 fatores");
  // The new token carries the demand: the guards redirect too, and no second exchange happens.
  expect(readToken()).toBe(demanding);
  await refuseFromNowOn();
  // The page is already the target and keeps its return address.
  expect(app.address()).toBe(`${securityPath}?redirectedFrom=%2Fpagamentos%2Flotes`);
  await act(() => app.router.navigate({ href: "/minha-conta/dados-da-conta" }));
  await waitFor(() =>
    expect(app.address()).toBe(`${securityPath}?redirectedFrom=%2Fminha-conta%2Fdados-da-conta`),
  );
  expect(fakeServer.calls(authorize)).toHaveLength(1);
});

it("SES-046 redirects also when no fresh token can be fetched", async () => {
  fakeServer.on(authorize, () => refuse("unavailable"));
  const app = renderApp("/pagamentos/lotes", { features });
  await screen.findByText(/48\.210,37/);
  await refuseFromNowOn();
  await waitFor(() => expect(app.address()).toBe(`${securityPath}?redirectedFrom=%2Fpagamentos%2Flotes`));
});

it("SES-046 leaves a person on the forbidden page there", async () => {
  fakeServer.on(authorize, () => ({
    access_token: demanding,
    token_type: "Bearer" as const,
    expires_in: 1800,
  }));
  const app = renderApp("/acesso-negado", { features });
  await screen.findByText(/48\.210,37/);
  await refuseFromNowOn();
  await waitFor(() => expect(readToken()).toBe(demanding));
  await settled(app);
  expect(app.address()).toBe("/acesso-negado");
});

it("SES-027 continues to the requested batch once the factor is on", async () => {
  let hasTwoFactorEnabled = false;
  fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled, isTwoFactorEnforced: true }));
  fakeServer.on(readRecoveryCodes, () => ({ left: 10 }));
  const lote = "/pagamentos/lotes?lote=0198f000-0000-7000-8000-00000000000a";
  const app = renderApp(lote, { features, session: { two_factor: { enabled: false, enforced: true } } });
  await screen.findByRole("alert");
  expect(app.address()).toBe(`${securityPath}?redirectedFrom=${encodeURIComponent(lote)}`);
  expect(screen.queryByRole("button", { name: "Continuar" })).toBeNull();
  hasTwoFactorEnabled = true;
  storeToken(
    buildToken({
      jti: "0198f000-0000-7000-8000-0000000000fe",
      two_factor: { enabled: true, enforced: true },
    }),
  );
  await act(() => app.queryClient.invalidateQueries({ queryKey: ["user-settings"] }));
  await userEvent.click(await screen.findByRole("button", { name: "Continuar" }));
  await waitFor(() => expect(app.address()).toBe(lote));
});
