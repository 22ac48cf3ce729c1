import {
  listAccountTypes,
  listBanks,
  readBank,
  readCompanyBankAccount,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { errorText } from "@malote/contracts/errors";
import { confirmIdentity } from "@malote/contracts/session";
import { accountTypesAt } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { keepSession } from "../shell/session-keeper.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { serveKeys } from "../testing/pix-keys.ts";
import { type buildCompanySettings, renderApp } from "../testing/render-app.tsx";

const bankData = "/pagamentos/configuracoes/dados-bancarios";
const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
const caixa = { id: "00360305", code: "104", ispb: "00360305", name: "Caixa Econômica Federal", image: null };
const account = {
  bank_id: "60701190",
  agency: "1234",
  agency_digit: null,
  account_type: "CONTA_CORRENTE",
  account: "56789",
  account_digit: "7",
  name: "Aurora Serviços",
  cpfCnpj: "27418639000148",
} as const;

beforeEach(() => {
  fakeServer.on(readCompanyBankAccount, () => account);
  fakeServer.on(listBanks, () => ({ data: [itau, caixa] }));
});

const section = async () => within(await screen.findByRole("region", { name: "Conta para saque" }));

describe("the account for withdrawals", () => {
  it("SET-008 SET-009 SET-010 SET-011 changes the account after checking it", async () => {
    const user = userEvent.setup();
    serveKeys();
    fakeServer.on(saveCompanyBankAccount, () => ({ ok: true as const }));
    renderApp(bankData);
    const box = await section();
    await box.findByText("56789-7");
    expect(fakeServer.calls(readCompanyBankAccount)[0]?.query).toEqual({ accountSource: "WITHDRAW" });
    await user.click(box.getByRole("button", { name: "Alterar conta" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Conta para saque" }));
    expect(dialog.getAllByRole("button").flatMap(({ textContent }) => textContent || [])).toEqual([
      "Cancelar",
      "Salvar",
    ]);
    const number = await dialog.findByRole("textbox", { name: "Conta" });
    await user.clear(number);
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    expect(number.getAttribute("aria-invalid")).toBe("true");
    expect(fakeServer.calls(saveCompanyBankAccount)).toHaveLength(0);
    await user.type(number, "56789");
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    await screen.findByText("Conta para saque salva.");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(fakeServer.calls(saveCompanyBankAccount)[0]?.body).toEqual(account);
  });

  it("SET-008 'Cancelar' closes an unchanged form at once, and saves nothing", async () => {
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(fakeServer.calls(saveCompanyBankAccount)).toEqual([]);
  });

  it("SET-011 shows a field that the server refuses at the field, and any other refusal in words", async () => {
    const { user, dialog, number } = await openDialog();
    fakeServer.on(saveCompanyBankAccount, () => refuse("invalid_request", { fields: ["account"] }));
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    await waitFor(() => expect(number.getAttribute("aria-invalid")).toBe("true"));
    expect(dialog.getAllByText("Confira este campo")).toHaveLength(2);
    const name = "Aurora Comércio";
    fakeServer.on(saveCompanyBankAccount, () => refuse("withdrawal_account_name", { name }));
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    await screen.findByText(errorText("withdrawal_account_name", { name }));
    expect(number.getAttribute("aria-invalid")).not.toBe("true");
    expect(number.value).toBe("56789");
    expect(screen.queryByText("Conta para saque salva.")).toBeNull();
  });

  it("FST-007 SET-008 asks for an account when there is none, as after a first one that was refused", async () => {
    const user = userEvent.setup();
    serveKeys();
    let saved: typeof account | null = null;
    fakeServer.on(readCompanyBankAccount, () => saved);
    fakeServer.on(saveCompanyBankAccount, () => {
      saved = account;
      return { ok: true as const };
    });
    renderApp(bankData);
    const box = await section();
    await box.findByText(/Sua empresa ainda não tem uma conta para saque/);
    expect(box.queryByRole("button", { name: "Alterar conta" })).toBeNull();
    await user.click(box.getByRole("button", { name: "Cadastrar conta" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Conta para saque" }));
    await user.click(await dialog.findByRole("combobox", { name: "Banco" }));
    await user.click(await screen.findByRole("option", { name: "341 · Itaú Unibanco" }));
    await user.click(dialog.getByRole("combobox", { name: "Tipo de conta" }));
    await user.click(await screen.findByRole("option", { name: "Conta corrente" }));
    await user.type(dialog.getByRole("textbox", { name: "Agência" }), "1234");
    await user.type(dialog.getByRole("textbox", { name: "Conta" }), "56789");
    await user.type(dialog.getAllByRole("textbox", { name: /^Dígito/ })[1]!, "7");
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(fakeServer.calls(saveCompanyBankAccount)[0]?.body).toMatchObject({
      bank_id: itau.id,
      agency: "1234",
      account: "56789",
      account_digit: "7",
    });
    await box.findByRole("button", { name: "Alterar conta" });
    box.getByText("56789-7");
  });

  async function openDialog(settings: Parameters<typeof buildCompanySettings>[0] = {}) {
    const user = userEvent.setup();
    serveKeys();
    renderApp(bankData, { settings });
    await user.click(await (await section()).findByRole("button", { name: "Alterar conta" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Conta para saque" }));
    const number = await dialog.findByRole<HTMLInputElement>("textbox", { name: "Conta" });
    return { user, dialog, number };
  }

  it("SET-011 refuses a digit that the rule of the chosen bank contradicts", async () => {
    const { user, dialog } = await openDialog();
    const bank = dialog.getByRole<HTMLInputElement>("combobox", { name: "Banco" });
    await waitFor(() => expect(bank.value).toBe("341 · Itaú Unibanco"));
    const digit = dialog.getAllByRole("textbox", { name: /^Dígito/ })[1] as HTMLElement;
    await user.clear(digit);
    await user.type(digit, "8");
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    expect(await dialog.findAllByText(/O certo parece ser 7\.$/)).toHaveLength(2);
    expect(fakeServer.calls(saveCompanyBankAccount)).toEqual([]);
  });

  it("SET-009 asks for the password again before saving, and keeps what was typed after a refusal", async () => {
    const stop = keepSession();
    let isConfirmed = false;
    fakeServer.on(saveCompanyBankAccount, () =>
      isConfirmed ? refuse("admin_too_new", { until: "13/08/2026 10:00" }) : refuse("identity_unconfirmed"),
    );
    fakeServer.on(confirmIdentity, ({ body }) => {
      if (body.password !== "certa") return refuse("password_wrong");
      isConfirmed = true;
      return { ok: true as const };
    });
    const { user, dialog } = await openDialog();
    const holder = dialog.getByRole<HTMLInputElement>("textbox", { name: "Nome ou razão social do titular" });
    await user.type(holder, " Ltda");
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    const question = within(await screen.findByRole("dialog", { name: "Confirme que é você" }));
    await user.type(question.getByLabelText("Sua senha"), "errada{Enter}");
    await question.findByText("A senha atual está incorreta.");
    await user.clear(question.getByLabelText("Sua senha"));
    await user.type(question.getByLabelText("Sua senha"), "certa{Enter}");
    await screen.findByText(/A partir de 13\/08\/2026 10:00 você pode fazer isto/);
    expect(screen.queryByRole("dialog", { name: "Confirme que é você" })).toBeNull();
    expect(holder.value).toBe("Aurora Serviços Ltda");
    expect(fakeServer.calls(saveCompanyBankAccount)).toHaveLength(2);
    stop();
  });

  it("SET-009 sends every field as typed, and reports that nothing changed while another person has to approve", async () => {
    const brasil = { id: "00000000", code: "001", ispb: "00000000", name: "Banco do Brasil", image: null };
    const before = { ...account, bank_id: brasil.id, agency: "1584", account: "210169", account_digit: "6" };
    fakeServer.on(listBanks, () => ({ data: [itau, brasil] }));
    fakeServer.on(readCompanyBankAccount, () => before);
    fakeServer.on(saveCompanyBankAccount, () => ({ ok: true as const, awaits_approval: true }));
    const { user, dialog } = await openDialog();
    await user.type(dialog.getAllByRole("textbox", { name: /^Dígito/ })[0]!, "9");
    await user.click(dialog.getByRole("combobox", { name: "Tipo de conta" }));
    await user.click(await screen.findByRole("option", { name: "Conta poupança" }));
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    await screen.findByText("Enviado para aprovação. Nada acontece antes que outra pessoa aprove.");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(fakeServer.calls(saveCompanyBankAccount).map(({ body }) => body)).toEqual([
      { ...before, agency_digit: "9", account_type: "CONTA_POUPANCA" },
    ]);
  });

  it("SET-026 SET-027 SET-028 names the bank, offers the types it accepts, and requests each once", async () => {
    const { user, dialog } = await openDialog();
    await (await section()).findByText("341 · Itaú Unibanco");
    const offered = async () => {
      await user.click(dialog.getByRole("combobox", { name: "Tipo de conta" }));
      const names = screen.getAllByRole("option").map(({ textContent }) => textContent);
      await user.keyboard("{Escape}");
      return names;
    };
    await waitFor(() => expect(fakeServer.calls(listAccountTypes)).toHaveLength(1));
    await waitFor(async () => expect(await offered()).not.toContain("Entidades públicas"));
    expect(await offered()).toContain("Conta poupança");
    const bank = dialog.getByRole("combobox", { name: "Banco" });
    await user.click(bank);
    await user.clear(bank);
    await user.type(bank, "104");
    await user.click(await screen.findByRole("option", { name: /^104 · / }));
    await waitFor(async () => expect(await offered()).toContain("Entidades públicas"));
    await user.click(dialog.getByRole("button", { name: "Cancelar" }));
    await user.click(await screen.findByRole("button", { name: "Descartar" }));
    await user.click(await (await section()).findByRole("button", { name: "Alterar conta" }));
    await screen.findByRole("dialog", { name: "Conta para saque" });
    expect([listBanks, readBank, listAccountTypes].map((one) => fakeServer.calls(one).length)).toEqual([
      1, 1, 2,
    ]);
  });

  it.each([
    ["at any bank when the company does not require Caixa", false],
    ["only at Caixa when the company requires it", true],
  ])("SET-011 accepts an account of a public entity %s", async (_where, publicEntityNeedsCaixa) => {
    fakeServer.on(listAccountTypes, ({ params }) => ({
      data: accountTypesAt(findBankByIspb(params["id"] ?? "")?.code ?? null, publicEntityNeedsCaixa),
    }));
    fakeServer.on(readCompanyBankAccount, () => ({
      ...account,
      account_type: "ENTIDADES_PUBLICAS" as const,
    }));
    fakeServer.on(saveCompanyBankAccount, () => ({ ok: true as const }));
    const { user, dialog } = await openDialog({ publicEntityNeedsCaixa });
    const holder = dialog.getByRole("textbox", { name: "Nome ou razão social do titular" });
    await user.type(holder, " Ltda");
    await user.click(dialog.getByRole("button", { name: "Salvar" }));
    if (publicEntityNeedsCaixa) {
      const type = dialog.getByRole("combobox", { name: "Tipo de conta" });
      expect(type.getAttribute("aria-invalid")).toBe("true");
      expect(fakeServer.calls(saveCompanyBankAccount)).toHaveLength(0);
    } else {
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(fakeServer.calls(saveCompanyBankAccount)[0]?.body).toMatchObject({
        bank_id: itau.id,
        account_type: "ENTIDADES_PUBLICAS",
      });
    }
  });

  it("asks before what was typed is dropped", async () => {
    const { user, dialog, number } = await openDialog();
    await user.type(number, "1");
    for (const leave of [
      () => user.keyboard("{Escape}"),
      () => user.click(dialog.getByRole("button", { name: "Cancelar" })),
    ]) {
      await leave();
      const asked = within(await screen.findByRole("dialog", { name: "Descartar o que foi preenchido?" }));
      await user.click(asked.getByRole("button", { name: "Continuar preenchendo" }));
      expect(number.isConnected).toBe(true);
    }
    await user.click(dialog.getByRole("button", { name: "Cancelar" }));
    await user.click(await screen.findByRole("button", { name: "Descartar" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("stays open when a later read of the account fails", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { number } = await openDialog();
    fakeServer.on(readCompanyBankAccount, () => refuse("internal"));
    const before = fakeServer.calls(readCompanyBankAccount).length;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await act(async () => {
      window.dispatchEvent(new Event("visibilitychange"));
    });
    await waitFor(() => expect(fakeServer.calls(readCompanyBankAccount).length).toBeGreaterThan(before));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(number.isConnected).toBe(true);
    vi.useRealTimers();
  });
});
