import { readUserSettings } from "@malote/contracts/company";
import { type Profile, profiles } from "@malote/contracts/policy";
import {
  changePassword,
  confirmIdentity,
  makeRecoveryCodes,
  readRecoveryCodes,
  readTwoFactorSecret,
  setTwoFactor,
} from "@malote/contracts/session";
import { readValidationUserSettings } from "@malote/contracts/validation";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readToken } from "../shell/session.ts";
import { keepSession } from "../shell/session-keeper.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { buildToken, payments, validation } from "../testing/token.ts";
import { account } from "./feature.ts";

const address = "/minha-conta/seguranca";
const features = [account, placeholderScreens("BatchesPage")];
const codes = Array.from({ length: 10 }, (_, at) => `aaaa-bbbb-cccc-ddd${"abcdefghij"[at]}`);
const open = (isOn: boolean, profile: Profile = "admin") => {
  fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: isOn, isTwoFactorEnforced: false }));
  return renderApp(address, {
    features,
    session: { profile, two_factor: { enabled: isOn, enforced: false } },
  });
};

let stop: () => void;
beforeEach(() => {
  stop = keepSession();
  fakeServer.on(readRecoveryCodes, () => ({ left: 7 }));
  fakeServer.on(readTwoFactorSecret, () => ({ qrcode: "otpauth://totp/x?secret=ABCD", secret: "ABCD" }));
});
afterEach(() => stop());

it.each([
  ["payments", payments, readUserSettings],
  ["validation", validation, readValidationUserSettings],
] as const)(
  "ACC-003 ACC-004 shows the banner, and no way around, for a demand that the company made after sign-in: %s",
  async (_where, application, settings) => {
    fakeServer.on(settings, () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: true }));
    const session = { application, allowed_applications: [application] };
    renderApp(address, { features, session });
    await screen.findByText("Para continuar navegando na plataforma, reative a Autenticação em 2 fatores.");
    expect(screen.queryByRole("button", { name: "Ativar mais tarde" })).toBeNull();
  },
);

it("asks for the password and the code again, and repeats the call with them", async () => {
  const user = userEvent.setup();
  let isConfirmed = false;
  fakeServer.on(makeRecoveryCodes, () =>
    isConfirmed ? { recovery_codes: codes } : refuse("identity_unconfirmed"),
  );
  fakeServer.on(confirmIdentity, ({ body }) => {
    if (body.password !== "certa") return refuse("password_wrong");
    if (body.code !== "123456") return refuse("second_factor_invalid");
    isConfirmed = true;
    return { ok: true as const };
  });
  open(true);
  await screen.findByText("Restam 7 códigos.");
  await user.click(screen.getByRole("button", { name: "Gerar novos códigos" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirme que é você" }));
  await user.type(dialog.getByLabelText("Sua senha"), "errada");
  await user.type(dialog.getByLabelText("Código do aplicativo autenticador"), "123456{Enter}");
  await dialog.findByText("A senha atual está incorreta.");
  await user.clear(dialog.getByLabelText("Sua senha"));
  await user.type(dialog.getByLabelText("Sua senha"), "certa{Enter}");
  const shown = within(await screen.findByRole("dialog", { name: "Seus códigos de recuperação" }));
  expect(shown.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(codes);
  expect(screen.queryByRole("dialog", { name: "Confirme que é você" })).toBeNull();
  expect(fakeServer.calls(makeRecoveryCodes)).toHaveLength(2);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Seus códigos de recuperação" })).not.toBeNull();
  await user.click(shown.getByRole("button", { name: "Já guardei" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it.each(["Cancelar", "Fechar"])(
  "does nothing and shows nothing when the question is left by %s",
  async (way) => {
    const user = userEvent.setup();
    fakeServer.on(makeRecoveryCodes, () => refuse("identity_unconfirmed"));
    open(true);
    const ask = await screen.findByRole("button", { name: "Gerar novos códigos" });
    await user.click(ask);
    const dialog = within(await screen.findByRole("dialog", { name: "Confirme que é você" }));
    await user.click(dialog.getByRole("button", { name: way }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(ask.getAttribute("aria-busy")).not.toBe("true"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(fakeServer.calls(makeRecoveryCodes)).toHaveLength(1);
  },
);

it.each([
  ["is the old one", "password_repeated", "A nova senha precisa ser diferente da atual."],
  [
    "is weak for the server",
    "password_weak",
    "A nova senha precisa de ao menos 8 caracteres, com letra minúscula, maiúscula, número e caractere especial.",
  ],
] as const)("ACC-012 shows at the new password that it %s", async (_what, code, text) => {
  const user = userEvent.setup();
  fakeServer.on(changePassword, () => refuse(code));
  open(false);
  for (const label of ["Senha atual", "Nova senha", "Confirme a nova senha"])
    await user.type(await screen.findByLabelText(label), "Abcdef1!");
  await user.click(screen.getByRole("button", { name: "Trocar senha" }));
  expect(await screen.findAllByText(text)).toHaveLength(2);
  const isWrong = (label: string) => screen.getByLabelText(label).getAttribute("aria-invalid");
  expect([isWrong("Senha atual"), isWrong("Nova senha")]).toEqual([null, "true"]);
});

it("keeps the typed code when the password is missing", async () => {
  const user = userEvent.setup();
  fakeServer.on(setTwoFactor, () => refuse("identity_unconfirmed"));
  open(false);
  await user.click(await screen.findByRole("button", { name: "Ativar autenticação" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Ativar autenticação em 2 fatores" }));
  const field = await dialog.findByLabelText<HTMLInputElement>("Código de 6 números");
  await user.type(field, "123456{Enter}");
  const question = within(await screen.findByRole("dialog", { name: "Confirme que é você" }));
  await user.click(question.getByRole("button", { name: "Cancelar" }));
  const send = dialog.getByRole("button", { name: "Ativar autenticação" });
  await waitFor(() => expect(send.getAttribute("aria-busy")).not.toBe("true"));
  expect(field.value).toBe("123456");
  expect(field.getAttribute("aria-invalid")).not.toBe("true");
});

it.each(profiles)("ACC-002 ACC-013 an %s of either application changes the own password", async (profile) => {
  const user = userEvent.setup();
  const off = () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: false });
  fakeServer.on(readUserSettings, off);
  fakeServer.on(readValidationUserSettings, off);
  for (const application of [payments, validation]) {
    const session = { profile, application, allowed_applications: [application] };
    const before = fakeServer.calls(changePassword).length;
    // A token of its own, so that keeping the one of the sign-in is noticed.
    const token = buildToken({ ...session, jti: "0198f000-0000-7000-8000-0000000000ff" });
    fakeServer.on(changePassword, () => ({ new_token: token }));
    const app = renderApp(address, { features, session });
    await user.type(await screen.findByLabelText("Senha atual"), "Antiga-1!");
    await user.type(screen.getByLabelText("Nova senha"), "Abcdef1!");
    await user.type(screen.getByLabelText("Confirme a nova senha"), "Abcdef1!{Enter}");
    await waitFor(() => expect(fakeServer.calls(changePassword)).toHaveLength(before + 1));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Senha atual").value).toBe(""));
    expect(readToken()).toBe(token);
    app.unmount();
  }
});

it.each(profiles)(
  "FST-010 FST-013 turning the second factor on shows an %s the recovery codes, once",
  async (profile) => {
    const user = userEvent.setup();
    fakeServer.on(setTwoFactor, () => ({ new_token: buildToken({ profile }), recovery_codes: codes }));
    open(false, profile);
    await user.click(await screen.findByRole("button", { name: "Ativar autenticação" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Ativar autenticação em 2 fatores" }));
    await user.type(await dialog.findByLabelText("Código de 6 números"), "123456{Enter}");
    const shown = within(await screen.findByRole("dialog", { name: "Seus códigos de recuperação" }));
    expect(shown.getAllByRole("listitem")).toHaveLength(10);
  },
);

it.each(profiles)(
  "FST-018 turns the second factor of an %s off with a recovery code when the phone is lost",
  async (profile) => {
    const user = userEvent.setup();
    fakeServer.on(setTwoFactor, () => ({ new_token: buildToken({ profile }) }));
    open(true, profile);
    await user.click(await screen.findByRole("button", { name: "Desativar" }));
    const dialog = within(await screen.findByRole("dialog", { name: /Desativar a autenticação/ }));
    await user.click(dialog.getByRole("button", { name: /Usar um código de recuperação/ }));
    await user.type(dialog.getByLabelText("Código de recuperação"), "123456{Enter}");
    await dialog.findByText(/Digite um dos seus códigos de recuperação/);
    await user.clear(dialog.getByLabelText("Código de recuperação"));
    await user.type(dialog.getByLabelText("Código de recuperação"), `${codes[0]}{Enter}`);
    await waitFor(() =>
      expect(fakeServer.calls(setTwoFactor).map(({ body }) => body)).toEqual([
        { action: "disable", code: codes[0] },
      ]),
    );
  },
);
