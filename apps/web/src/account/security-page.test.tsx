import { readUserSettings } from "@malote/contracts/company";
import {
  changePassword,
  readRecoveryCodes,
  readTwoFactorSecret,
  setTwoFactor,
} from "@malote/contracts/session";
import {
  readValidationTwoFactorSecret,
  readValidationUserSettings,
  setValidationTwoFactor,
} from "@malote/contracts/validation";
import { addDays, parseDate } from "@malote/domain/calendar";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import QrCode from "../shell/qr-code.tsx";
import { readToken } from "../shell/session.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { buildToken, payments, validation } from "../testing/token.ts";
import { noteSystemTime } from "../ui/system-time.ts";
import { account } from "./feature.ts";
import { checkPasswords, type PasswordValues } from "./password-rules.ts";

const address = "/minha-conta/seguranca";
const features = [account, placeholderScreens("BatchesPage")];
const settings = (hasTwoFactorEnabled: boolean, isTwoFactorEnforced = false) =>
  fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled, isTwoFactorEnforced }));
const enforcedText = "Para continuar navegando na plataforma, reative a Autenticação em 2 fatores.";
const nextDay = (day: string) => addDays(parseDate(day)!, 1);
const newToken = () => buildToken({ jti: "0198f000-0000-7000-8000-0000000000ff" });

beforeEach(() => {
  settings(false);
  fakeServer.on(readRecoveryCodes, () => ({ left: 10 }));
  fakeServer.on(readTwoFactorSecret, () => ({
    qrcode: "otpauth://totp/Malote:helena?secret=ABCD",
    secret: "ABCDEFGH",
  }));
});

async function openEnable(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole("button", { name: "Ativar autenticação" }));
  return within(await screen.findByRole("dialog", { name: "Ativar autenticação em 2 fatores" }));
}

describe("Segurança", () => {
  it("SES-029 ACC-004 sends an admin without second factor here after sign-in, and lets them postpone it", async () => {
    const user = userEvent.setup();
    const app = renderApp(`/auth?token=${buildToken({ profile: "admin" })}`, { session: null, features });
    await user.click(await screen.findByRole("button", { name: "Ativar mais tarde" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
  });

  it("ACC-004 'later' opens the home page of the validation application there", async () => {
    const user = userEvent.setup();
    fakeServer.on(readValidationUserSettings, () => ({
      hasTwoFactorEnabled: false,
      isTwoFactorEnforced: false,
    }));
    const app = renderApp(address, {
      features: [account, placeholderScreens("BatchesPage", "ValidationPage")],
      session: { application: validation, allowed_applications: [payments, validation] },
    });
    await user.click(await screen.findByRole("button", { name: "Ativar mais tarde" }));
    await waitFor(() => expect(app.address()).toBe("/contacerta/validacoes/nova"));
  });

  it("ACC-003 ACC-004 ACC-009 SES-046 shows a red banner, and no way around, while the factor is demanded and off", async () => {
    settings(false, true);
    const app = renderApp("/pagamentos/lotes", {
      features,
      session: { two_factor: { enabled: false, enforced: true } },
    });
    const banner = await screen.findByRole("alert");
    expect([banner.textContent, banner.getAttribute("data-tone")]).toEqual([enforcedText, "red"]);
    await screen.findByRole("button", { name: "Ativar autenticação" });
    expect(screen.queryByText("Sua empresa exige que ela fique ativada.")).toBeNull();
    expect(app.address()).toBe(`${address}?redirectedFrom=%2Fpagamentos%2Flotes`);
    expect(screen.queryByRole("button", { name: "Ativar mais tarde" })).toBeNull();
  });

  it.each([
    ["off and not enforced", false, false, "Desativada"],
    ["on and not enforced", true, false, "Ativada"],
    ["on and enforced", true, true, "Ativada"],
  ])(
    "ACC-003 ACC-009 shows the state and no red banner when the factor is %s",
    async (_what, isOn, isEnforced, state) => {
      settings(isOn, isEnforced);
      renderApp(address, { features });
      await screen.findByText(state);
      screen.getByRole("button", { name: "Trocar senha" });
      expect(screen.queryByText(enforcedText)).toBeNull();
      const demanded = screen.queryByText("Sua empresa exige que ela fique ativada.");
      expect(demanded !== null).toBe(isEnforced);
    },
  );

  it("FST-020 ACC-004 names the deadline of the second factor while it is off, and not once it is on", async () => {
    vi.setSystemTime("2026-11-22T12:00:00Z");
    const app = renderApp(address, { features });
    await screen.findByText(/precisa estar ativada até 29\/07\/2027/);
    app.unmount();
    settings(true);
    renderApp(address, { features });
    await screen.findByText("Ativada");
    expect(screen.queryByText(/29\/07/)).toBeNull();
    expect(screen.queryByRole("button", { name: "Ativar mais tarde" })).toBeNull();
  });

  it.each([
    ["2027-07-28", "até 29/07/2027."],
    ["2027-07-29", "até 29/07/2027."],
    ["2027-07-30", "até 29/07/2028."],
  ])("FST-020 on %s, by the system's clock, shows the next such day: %s", async (today, said) => {
    vi.setSystemTime("2026-11-22T12:00:00Z");
    // Late on that day in São Paulo, when UTC is already on the next day.
    noteSystemTime(`${nextDay(today)}T02:59:00Z`);
    onTestFinished(() => noteSystemTime(new Date().toISOString()));
    renderApp(address, { features });
    await screen.findByText(`A autenticação em 2 fatores precisa estar ativada ${said}`);
  });

  it.each([
    ["Ative o segundo fator até 01/03.", "Ative o segundo fator até 01/03/2027."],
    [null, undefined],
  ])("FST-020 shows the day as the installation configures it: %s", async (twoFactorNotice, said) => {
    vi.setSystemTime("2026-11-22T12:00:00Z");
    await settled(renderApp(address, { features, brand: { twoFactorNotice } }));
    screen.getByRole("button", { name: "Ativar mais tarde" });
    if (said) screen.getByText(said);
    expect(screen.queryByText(/precisa estar ativada/)).toBeNull();
  });

  it.each(["", "12345", "abc"])("FST-011 refuses the code '%s' before sending", async (code) => {
    const user = userEvent.setup();
    renderApp(address, { features });
    const dialog = await openEnable(user);
    if (code) await user.type(await dialog.findByLabelText("Código de 6 números"), code);
    await user.click(dialog.getByRole("button", { name: "Ativar autenticação" }));
    dialog.getByText("Código obrigatório e deve conter exatamente 6 números");
    expect(fakeServer.calls(setTwoFactor)).toHaveLength(0);
  });

  it.each(["", "12345"])("FST-011 refuses the code '%s' when turning it off, too", async (code) => {
    const user = userEvent.setup();
    settings(true);
    renderApp(address, { features });
    await user.click(await screen.findByRole("button", { name: "Desativar" }));
    const dialog = within(await screen.findByRole("dialog"));
    if (code) await user.type(dialog.getByLabelText("Código de 6 números"), code);
    await user.click(dialog.getByRole("button", { name: "Desativar autenticação" }));
    dialog.getByText("Código obrigatório e deve conter exatamente 6 números");
    expect(fakeServer.calls(setTwoFactor)).toHaveLength(0);
  });

  it("FST-013 shows a wrong code beside the field, and empties the field", async () => {
    const user = userEvent.setup();
    fakeServer.on(setTwoFactor, () => refuse("second_factor_invalid"));
    renderApp(address, { features });
    const dialog = await openEnable(user);
    const field = await dialog.findByLabelText<HTMLInputElement>("Código de 6 números");
    await user.type(field, "000000");
    await user.click(dialog.getByRole("button", { name: "Ativar autenticação" }));
    await dialog.findByText(/Código incorreto ou já usado/);
    expect(field.value).toBe("");
  });

  it("FST-010 FST-012 FST-013 FST-015 FST-016 FST-017 turns it on, and reports success once the settings agree", async () => {
    const user = userEvent.setup();
    const token = newToken();
    fakeServer.on(setTwoFactor, () => ({ new_token: token }));
    renderApp(address, { features });
    const dialog = await openEnable(user);
    const drawn = (await dialog.findByTitle("QR Code para o aplicativo autenticador")).closest("svg");
    const answered = <QrCode value="otpauth://totp/Malote:helena?secret=ABCD" size={176} title="" />;
    const dark = (svg: Element | null) =>
      [...(svg?.querySelectorAll("path") ?? [])].at(-1)?.getAttribute("d");
    expect(dark(drawn)).toBe(dark(render(answered).container));
    dialog.getByText("ABCD EFGH");
    const field = await dialog.findByLabelText<HTMLInputElement>("Código de 6 números");
    await user.type(field, "12a34567");
    expect(field.value).toBe("123456");
    await user.type(field, "{Enter}");
    await waitFor(() => expect(readToken()).toBe(token));
    expect(fakeServer.calls(setTwoFactor)[0]?.body).toEqual({ action: "enable", code: "123456" });
    await screen.findByText("Ativando…");
    expect(screen.queryByText("Autenticação ativada com sucesso!")).toBeNull();
    const before = fakeServer.calls(readUserSettings).length;
    await waitFor(() => expect(fakeServer.calls(readUserSettings).length).toBeGreaterThan(before + 1), {
      timeout: 4_000,
    });
    settings(true);
    await screen.findByText("Autenticação ativada com sucesso!", {}, { timeout: 3_000 });
    screen.getByText("Ativada");
  });

  it("FST-014 FST-015 SET-022 sends every call to its own API in the validation application", async () => {
    const user = userEvent.setup();
    const here = { application: validation, allowed_applications: [payments, validation] };
    const token = buildToken({ ...here, jti: "0198f000-0000-7000-8000-0000000000ff" });
    let isOn = false;
    fakeServer.on(readValidationUserSettings, () => ({
      hasTwoFactorEnabled: isOn,
      isTwoFactorEnforced: false,
    }));
    fakeServer.on(readValidationTwoFactorSecret, () => ({
      qrcode: "otpauth://totp/x?secret=EFGH",
      secret: "EFGHABCD",
    }));
    fakeServer.on(setValidationTwoFactor, () => {
      isOn = true;
      return { new_token: token };
    });
    renderApp(address, { features, session: here });
    const dialog = await openEnable(user);
    await dialog.findByText("EFGH ABCD");
    await user.type(await dialog.findByLabelText("Código de 6 números"), "123456{Enter}");
    await screen.findByText("Autenticação ativada com sucesso!", {}, { timeout: 3_000 });
    expect(fakeServer.calls(setValidationTwoFactor)[0]?.body).toEqual({ action: "enable", code: "123456" });
    expect(readToken()).toBe(token);
    for (const ofPayments of [readTwoFactorSecret, setTwoFactor, readUserSettings])
      expect(fakeServer.calls(ofPayments)).toEqual([]);
  });

  it("FST-014 FST-015 turns it off at its own API in the validation application, too", async () => {
    const user = userEvent.setup();
    const here = { application: validation, allowed_applications: [payments, validation] };
    fakeServer.on(readValidationUserSettings, () => ({
      hasTwoFactorEnabled: true,
      isTwoFactorEnforced: false,
    }));
    const token = buildToken({ ...here, jti: "0198f000-0000-7000-8000-0000000000ff" });
    fakeServer.on(setValidationTwoFactor, () => ({ new_token: token }));
    renderApp(address, { features, session: here });
    await user.click(await screen.findByRole("button", { name: "Desativar" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByLabelText("Código de 6 números"), "654321{Enter}");
    await screen.findByText("Desativando…");
    expect(fakeServer.calls(setValidationTwoFactor).map(({ body }) => body)).toEqual([
      { action: "disable", code: "654321" },
    ]);
    expect(readToken()).toBe(token);
    expect(fakeServer.calls(setTwoFactor)).toEqual([]);
  });

  it("FST-016 reads the settings every second until they agree, without a limit of reads", async () => {
    const user = userEvent.setup();
    fakeServer.on(setTwoFactor, () => ({ new_token: newToken() }));
    renderApp(address, { features });
    const dialog = await openEnable(user);
    const field = await dialog.findByLabelText("Código de 6 números");
    await user.type(field, "123456");
    vi.useFakeTimers();
    fireEvent.submit(field.closest("form") as HTMLFormElement);
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.getByText("Ativando…")).toBeTruthy();
    const asked = () => fakeServer.calls(readUserSettings).length;
    for (let second = 0; second < 180; second++) {
      const before = asked();
      await act(() => vi.advanceTimersByTimeAsync(1_000));
      expect(asked() - before).toBe(1);
    }
    expect(screen.queryByText("Autenticação ativada com sucesso!")).toBeNull();
    settings(true);
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    expect(screen.getByText("Autenticação ativada com sucesso!")).toBeTruthy();
    const atTheEnd = asked();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(asked()).toBe(atTheEnd);
  });

  it("FST-013 FST-015 FST-016 FST-017 FST-018 ACC-009 turns it off with a code, and reports success once the settings agree", async () => {
    const user = userEvent.setup();
    const token = newToken();
    settings(true);
    fakeServer.on(setTwoFactor, () => ({ new_token: token }));
    renderApp(address, { features });
    await user.click(await screen.findByRole("button", { name: "Desativar" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByLabelText("Código de 6 números"), "654321");
    await user.click(dialog.getByRole("button", { name: "Desativar autenticação" }));
    await screen.findByText("Desativando…");
    expect(readToken()).toBe(token);
    expect(screen.queryByText("Autenticação em 2 fatores desativada!")).toBeNull();
    settings(false);
    await screen.findByText("Autenticação em 2 fatores desativada!", {}, { timeout: 3_000 });
    expect(fakeServer.calls(setTwoFactor)[0]?.body).toEqual({ action: "disable", code: "654321" });
  });

  it("ACC-009 FST-018 offers no way to turn it off while the company demands it", async () => {
    settings(true, true);
    renderApp(address, { features });
    await screen.findByText("Sua empresa exige que ela fique ativada.");
    screen.getByText("Ativada");
    screen.getByRole("button", { name: "Trocar senha" });
    expect(screen.queryByRole("button", { name: "Desativar" })).toBeNull();
  });

  it("FST-019 reports that the state cannot be read, and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(readUserSettings, () => refuse("internal"));
    renderApp(address, { features });
    await within(await screen.findByRole("region", { name: "Avisos" })).findByText(
      "Erro ao buscar estado da 2FA",
    );
    expect(screen.getAllByText("Erro ao buscar estado da 2FA")).toHaveLength(2);
    settings(true);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Ativada");
  });

  it.each([
    [{ newPassword: "" }, { newPassword: "Digite a nova senha" }],
    [{ newPassword: "Ab1!xyz" }, { newPassword: "A nova senha precisa ter ao menos 8 caracteres" }],
    [{ newPassword: "ABCDEF1!" }, { newPassword: "A nova senha precisa de uma letra minúscula" }],
    [{ newPassword: "abcdef1!" }, { newPassword: "A nova senha precisa de uma letra maiúscula" }],
    [{ newPassword: "Abcdefg!" }, { newPassword: "A nova senha precisa de um número" }],
    [
      { newPassword: "Abcdefg1" },
      { newPassword: "A nova senha precisa de um caractere especial, como ! ou @" },
    ],
    [
      { newPassword: "Abcdefg1 " },
      { newPassword: "A nova senha precisa de um caractere especial, como ! ou @" },
    ],
    [{ oldPassword: "" }, { oldPassword: "Digite a senha atual" }],
    [
      { newPasswordConfirmation: "outra" },
      { newPasswordConfirmation: "A confirmação precisa ser igual à nova senha" },
    ],
    [
      { newPasswordConfirmation: "" },
      { newPasswordConfirmation: "A confirmação precisa ser igual à nova senha" },
    ],
    [{}, {}],
  ])(
    "ACC-010 ACC-011 ACC-012 returns one sentence for each broken rule: %o",
    (given: Partial<PasswordValues>, expected) => {
      const newPassword = given.newPassword ?? "Abcdef1!";
      const valid = { oldPassword: "x", newPassword, newPasswordConfirmation: newPassword };
      expect(checkPasswords({ ...valid, ...given })).toEqual(expected);
    },
  );

  it("ACC-012 shows a wrong old password at its field, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(changePassword, () => refuse("password_wrong"));
    renderApp(address, { features });
    await user.type(await screen.findByLabelText("Senha atual"), "errada");
    await user.type(screen.getByLabelText("Nova senha"), "Abcdef1!");
    await user.type(screen.getByLabelText("Confirme a nova senha"), "Abcdef1!");
    await user.click(screen.getByRole("button", { name: "Trocar senha" }));
    expect(await screen.findAllByText("A senha atual está incorreta.")).toHaveLength(2);
    const isWrong = (label: string) => screen.getByLabelText(label).getAttribute("aria-invalid");
    expect([isWrong("Senha atual"), isWrong("Nova senha")]).toEqual(["true", null]);
    expect(screen.queryByText("Senha alterada com sucesso!")).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>("Nova senha").value).toBe("Abcdef1!");
  });

  it("ACC-012 shows the sentence of each broken rule in the form", async () => {
    const user = userEvent.setup();
    renderApp(address, { features });
    await user.type(await screen.findByLabelText("Nova senha"), "abcdef1!");
    await user.type(screen.getByLabelText("Confirme a nova senha"), "outra{Enter}");
    for (const said of [
      "Digite a senha atual",
      "A nova senha precisa de uma letra maiúscula",
      "A confirmação precisa ser igual à nova senha",
    ])
      expect(screen.getAllByText(said).length).toBeGreaterThan(0);
    expect(fakeServer.calls(changePassword)).toHaveLength(0);
  });

  it("ACC-013 ACC-014 changes the password, keeps the new token and clears the form", async () => {
    const user = userEvent.setup();
    const token = newToken();
    fakeServer.on(changePassword, () => ({ new_token: token }));
    renderApp(address, { features });
    await user.click(await screen.findByRole("button", { name: "Trocar senha" }));
    expect(fakeServer.calls(changePassword)).toHaveLength(0);
    await user.type(screen.getByLabelText("Senha atual"), "Antiga-1!");
    await user.type(screen.getByLabelText("Nova senha"), "Abcdef1!");
    await user.type(screen.getByLabelText("Confirme a nova senha"), "Abcdef1!{Enter}");
    await screen.findByText("Senha alterada com sucesso!");
    expect(fakeServer.calls(changePassword)[0]?.body).toEqual({
      oldPassword: "Antiga-1!",
      newPassword: "Abcdef1!",
    });
    expect(readToken()).toBe(token);
    expect(screen.getByLabelText<HTMLInputElement>("Senha atual").value).toBe("");
  });
});
