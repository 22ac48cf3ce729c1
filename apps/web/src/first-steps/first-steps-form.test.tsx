/** The form of the first steps: its second factor, and its place in the wizard of a batch. */
import { createCheckpoint, readCheckpoint, readUserSettings } from "@malote/contracts/company";
import { readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { readToken } from "../shell/session.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildOpenBatch, testId } from "../testing/payments.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { buildToken } from "../testing/token.ts";
import { firstSteps } from "./feature.ts";

const address = "/pagamentos/primeiros-passos";
const features = [firstSteps, placeholderScreens("BatchesPage")];
/** Each test has its own company, because filled first steps are cached for the life of the page. */
const operatorOf = (companyId: string) => ({
  profile: "operator" as const,
  company: { id: companyId, name: "Nova", cpfCnpj: "27418639000148", acceptedContract: true },
});
const secondFactor = (hasTwoFactorEnabled: boolean) =>
  fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled, isTwoFactorEnforced: false }));

it("FST-003 FST-015 'Ativar 2FA agora' turns the second factor on, and does not end the first steps", async () => {
  const user = userEvent.setup();
  const session = operatorOf(testId(81));
  const token = buildToken({ ...session, jti: testId(82) });
  fakeServer.on(readCheckpoint, () => ({ exists: false }));
  secondFactor(false);
  fakeServer.on(readTwoFactorSecret, () => ({
    qrcode: "otpauth://totp/Malote:rui?secret=ABCD",
    secret: "ABCDEFGH",
  }));
  fakeServer.on(setTwoFactor, () => ({ new_token: token }));
  const app = renderApp(address, { features, session });
  await user.click(await screen.findByRole("button", { name: "Ativar 2FA agora" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Ativar autenticação em 2 fatores" }));
  await user.type(await dialog.findByLabelText("Código de 6 números"), "123456{Enter}");
  await screen.findByText("Ativando…");
  expect(readToken()).toBe(token);
  const sent = fakeServer.calls(setTwoFactor).map(({ body }) => body);
  expect(sent).toEqual([{ action: "enable", code: "123456" }]);
  // The dialog's form lies inside the form of the first steps.
  expect(recordedMarks()).toEqual([]);
  expect(app.address()).toBe(address);
});

it("FST-019 reports in the first steps, too, that the state of the second factor cannot be read", async () => {
  fakeServer.on(readCheckpoint, () => ({ exists: false }));
  fakeServer.on(readUserSettings, () => refuse("internal"));
  renderApp(address, { features, session: operatorOf(testId(83)) });
  const toasts = within(await screen.findByRole("region", { name: "Avisos" }));
  await toasts.findByText("Erro ao buscar estado da 2FA");
  expect(screen.getAllByText("Erro ao buscar estado da 2FA")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: "Ativar 2FA agora" })).toBeNull();
});

it("BAT-033 FST-008 FST-025 goes on in the wizard of a batch when the mark cannot be stored", async () => {
  const user = userEvent.setup();
  const batch = buildOpenBatch();
  serveBatch({ batch, transfers: [], balance: 0, filledFirstSteps: false });
  secondFactor(true);
  fakeServer.on(createCheckpoint, () => refuse("internal"));
  const app = renderApp(`/pagamentos/lotes?lote=${batch.id}`, { session: operatorOf(testId(84)) });
  const at = app.address();
  await user.click(await screen.findByRole("button", { name: "Finalizar cadastro" }));
  await screen.findByLabelText("Nome do lote");
  expect(app.address()).toBe(at);
  expect(recordedMarks()).toEqual(["HAS_FILLED_FIRST_STEPS"]);
});
