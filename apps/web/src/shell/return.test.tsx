import { listBatches, readBatch, readBatchesBlankslate } from "@malote/contracts/batches";
import { readUserSettings } from "@malote/contracts/company";
import { authorize, readBrand } from "@malote/contracts/session";
import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { buildToken, payments, validation } from "../testing/token.ts";
import { readToken } from "./session.ts";
import { keepSession } from "./session-keeper.ts";

const minute = 60_000;
const lote = "/pagamentos/lotes?lote=0198f000-0000-7000-8000-00000000000a";
const back = encodeURIComponent(lote);
const twoFactorOn = { two_factor: { enabled: true, enforced: false } };

beforeEach(() => {
  fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: false }));
  fakeServer.keepWaiting(readBatch);
  fakeServer.on(listBatches, () => ({
    data: [],
    metadata: { pagination: { itemsPerPage: 20, totalItems: 0 } },
    summary: { count: 0, value: 0 },
  }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
});

describe("return to the requested page", () => {
  it("SES-024 SES-042 BAT-023 keeps a link from an e-mail over signing in", async () => {
    const app = renderApp(lote, { session: null });
    await waitFor(() => expect(app.leftTo).toEqual([`/entrar?redirectedFrom=${back}&motivo=entrar`]));
    app.unmount();
    const then = renderApp(`/auth?token=${buildToken(twoFactorOn)}&redirectedFrom=${back}`, {
      session: null,
    });
    await waitFor(() => expect(then.address()).toBe(lote));
  });

  it.each(["/pagamentos/lotes", "/logout", "/nada-disso", "/auth"])(
    "SES-024 sends a person who opens %s without a session to the login site of the brand, which answers late",
    async (address) => {
      const loginUrl = "https://entrar.example/sair?marca=1";
      const app = renderApp(address, { session: null, brand: { loginUrl } });
      await waitFor(() => expect(app.leftTo).toHaveLength(1));
      expect(app.leftTo[0]?.startsWith(loginUrl)).toBe(true);
    },
  );

  it("SES-025 /auth takes the token from the cookie that the installation names", async () => {
    const [wrong, right] = [buildToken({ ...twoFactorOn, name: "Errado" }), buildToken(twoFactorOn)];
    // biome-ignore lint/suspicious/noDocumentCookie: what a sign-in site leaves behind
    document.cookie = `malote_token=${wrong}`;
    // biome-ignore lint/suspicious/noDocumentCookie: what a sign-in site leaves behind
    document.cookie = `entrada=${right}`;
    const app = renderApp(`/auth?redirectedFrom=${back}`, {
      session: null,
      brand: { tokenCookie: "entrada" },
    });
    await waitFor(() => expect(app.address()).toBe(lote));
    expect(readToken()).toBe(right);
    for (const name of ["malote_token", "entrada"]) {
      // biome-ignore lint/suspicious/noDocumentCookie: the next test finds none
      document.cookie = `${name}=; max-age=0`;
    }
  });

  it("SES-024 does not wait for the brand with a signed-in person", async () => {
    const app = renderApp("/pagamentos/lotes");
    fakeServer.keepWaiting(readBrand);
    await screen.findByRole("heading", { level: 1, name: "Seus lotes" });
    expect(app.leftTo).toEqual([]);
  });

  it("SES-024 uses the sign-in page of this origin when the brand never answers", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const app = renderApp("/pagamentos/lotes", { session: null });
    fakeServer.keepWaiting(readBrand);
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(app.leftTo).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(app.leftTo).toEqual(["/entrar?redirectedFrom=%2Fpagamentos%2Flotes&motivo=entrar"]);
  });

  it("SES-042 shows the reason of a session that expired", async () => {
    const exp = Math.floor(Date.now() / 1000) - 1;
    const app = renderApp(lote, { session: { exp } });
    await waitFor(() => expect(app.leftTo).toEqual([`/entrar?redirectedFrom=${back}&motivo=inatividade`]));
  });

  it.each(["//golpe.exemplo", "/\\\\golpe.exemplo", "javascript:alert(1)", "https://golpe.exemplo/"])(
    "SES-026 stays in the application: %s",
    async (evil) => {
      const query = new URLSearchParams({ token: buildToken(twoFactorOn), redirectedFrom: evil });
      const app = renderApp(`/auth?${query}`, { session: null });
      await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    },
  );

  it("SES-029 ACC-004 shows an admin without second factor the security page first, and continues from there", async () => {
    const user = userEvent.setup();
    const app = renderApp(`/auth?token=${buildToken()}&redirectedFrom=${back}`, { session: null });
    await user.click(await screen.findByRole("button", { name: "Ativar mais tarde" }));
    await waitFor(() => expect(app.address()).toBe(lote));
  });
});

describe("a redirect", () => {
  const asked = lote.slice(lote.indexOf("?"));
  const modal = `?modalToken=${encodeURIComponent(JSON.stringify({ kind: "openBatch", id: asked.slice(6) }))}`;

  it.each(["/", "/pagamentos", "/lotes", "/dashboard", "/nao-existe", "/pagamentos/nao-existe"])(
    "SES-027 from %s keeps the requested batch, by its address or by a modal token",
    async (from) => {
      for (const query of [asked, modal]) {
        const app = renderApp(`${from}${query}`);
        await waitFor(() => expect(app.address()).toBe(lote));
        app.unmount();
      }
    },
  );

  it("SES-027 within the application keeps it too", async () => {
    const allowed_applications = [payments, validation];
    const next = buildToken({ allowed_applications, jti: "0198f000-0000-7000-8000-0000000000ff" });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    const app = renderApp(lote, { session: { application: validation, allowed_applications } });
    await waitFor(() => expect(readToken()).toBe(next));
    await screen.findByRole("heading", { level: 1, name: "Seus lotes" });
    expect(app.address()).toBe(lote);
  });

  it("does not pass on what signs a person in", async () => {
    const app = renderApp(`/lotes${asked}&token=${buildToken()}`);
    await waitFor(() => expect(app.address()).toBe(lote));
  });
});

describe("end of an unused session", () => {
  async function idle(ms: number) {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const app = renderApp("/pagamentos/lotes");
    const stop = keepSession();
    await act(() => vi.advanceTimersByTimeAsync(ms));
    return { app, stop };
  }
  const title = "Sua sessão está para terminar";

  it("is announced two minutes before, and any action prolongs the session", async () => {
    const next = buildToken({ exp: Math.floor(Date.now() / 1000) + 7200 });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    const { stop } = await idle(27 * minute);
    expect(screen.queryByRole("dialog", { name: title })).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1.6 * minute));
    await screen.findByRole("dialog", { name: title });
    await userEvent.click(screen.getByRole("button", { name: "Continuar conectado" }));
    await waitFor(() => expect(readToken()).toBe(next));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: title })).toBeNull());
    stop();
  });

  it("leads to the sign-in page with the reason, and nothing stays on screen", async () => {
    const { app, stop } = await idle(31 * minute);
    expect(app.leftTo).toEqual(["/entrar?motivo=inatividade"]);
    expect(readToken()).toBeNull();
    stop();
  });
});
