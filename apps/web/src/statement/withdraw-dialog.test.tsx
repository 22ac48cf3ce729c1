import { listBatches } from "@malote/contracts/batches";
import {
  readBank,
  readCheckpoint,
  readCompanyBankAccount,
  readCompanySettings,
  readDefaultPaymentMethod,
} from "@malote/contracts/company";
import type { Profile } from "@malote/contracts/policy";
import { readBalance, readStatement, withdrawBalance } from "@malote/contracts/statement";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { companySettingsQuery } from "../shell/balance.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { paymentMethodQuery } from "../transfers/api.ts";

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
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(readCompanyBankAccount, () => account);
  fakeServer.on(readStatement, () => ({
    entries: [],
    prevBalance: { date: "2026-11-01", value: 4_821_037 },
    afterBalance: { date: "2026-11-30", value: 4_821_037 },
    totals: { in: 0, out: 0 },
    metadata: { pagination: { itemsPerPage: 50, totalItems: 0 } },
  }));
  fakeServer.on(withdrawBalance, ({ body }) => ({
    id: "0198f000-0000-7000-8000-0000000000f1",
    value: body.value,
    execute_at: "2026-11-20T19:58:00.000Z",
  }));
});

const statementCalls = () => fakeServer.calls(readStatement).length;

async function openDialog(user: ReturnType<typeof userEvent.setup>) {
  const app = renderApp("/pagamentos/saldo");
  await user.click(await screen.findByRole("button", { name: "Resgatar saldo" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Resgatar saldo" }));
  const amount = await dialog.findByRole("textbox", { name: "Quanto você quer resgatar?" });
  return { app, dialog, amount };
}

/** People who may withdraw: by profile, and by the company's setting for operators. */
const people: [Profile, boolean, boolean][] = [
  ["admin", false, true],
  ["admin", true, true],
  ["operator", false, true],
  ["operator", true, false],
  ["analyst", false, false],
];

describe("Resgatar saldo", () => {
  it("STM-026 shows the balance, the withdrawal account, an amount and its two buttons", async () => {
    const user = userEvent.setup();
    const { dialog } = await openDialog(user);
    dialog.getByText(/48\.210,37/);
    const region = within(dialog.getByRole("region", { name: "Conta para saque" }));
    await region.findByText("341 · Itaú Unibanco");
    const lines = region
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(lines).toEqual([
      ["Banco", "341 · Itaú Unibanco"],
      ["Agência", "1234"],
      ["Conta corrente", "56789-7"],
      ["Titular", "Aurora Serviços"],
      ["CPF ou CNPJ", "27.418.639/0001-48"],
    ]);
    expect(dialog.getAllByRole("button").map((button) => button.textContent)).toEqual([
      "",
      "Resgatar tudo",
      "Cancelar",
      "Confirmar",
    ]);
    await user.click(dialog.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(fakeServer.calls(withdrawBalance)).toEqual([]);
  });

  it("SET-027 SET-030 names the duration by the bank's own method", async () => {
    const user = userEvent.setup();
    const first = await openDialog(user);
    await first.dialog.findByText(/O resgate é feito por TED: até as 16h30/);
    expect(fakeServer.calls(readBank)).toHaveLength(1);
    expect(fakeServer.calls(readDefaultPaymentMethod).map(({ query }) => query)).toEqual([
      { bankCode: "341" },
    ]);
    first.app.unmount();
    fakeServer.on(readCompanyBankAccount, () => ({ ...account, bank_id: "99999593" }));
    const { app, dialog } = await openDialog(user);
    await within(dialog.getByRole("region", { name: "Conta para saque" })).findByText(/^593 · /);
    await settled(app, paymentMethodQuery("593").queryKey);
    expect(fakeServer.calls(readDefaultPaymentMethod)).toHaveLength(2);
    expect(dialog.queryByText(/feito por TED/)).toBeNull();
  });

  it.each(people)(
    "STM-027 SES-052 %s, closed to operators: %s, sees the action: %s",
    async (profile, blockWithdrawForOperator, isShown) => {
      // The address alone does not open the dialog either.
      const app = renderApp("/pagamentos/saldo?resgate=novo", { session: { profile } });
      fakeServer.on(readCompanySettings, () => buildCompanySettings({ blockWithdrawForOperator }));
      await screen.findByText(/Confere: abertura/);
      await settled(app, companySettingsQuery.queryKey);
      const action = () => screen.queryByRole("button", { name: "Resgatar saldo", hidden: true });
      if (isShown) await screen.findByRole("dialog", { name: "Resgatar saldo" });
      else expect(screen.queryByRole("dialog")).toBeNull();
      expect(action() !== null).toBe(isShown);
    },
  );

  it.each(people)(
    "STM-027 %s, closed to operators: %s, finds the action by its name: %s",
    async (profile, blockWithdrawForOperator, isFound) => {
      fakeServer.on(listBatches, () => ({
        data: [],
        summary: { count: 0, value: 0 },
        metadata: { pagination: { itemsPerPage: 9, totalItems: 0 } },
      }));
      const user = userEvent.setup();
      renderApp("/pagamentos/saldo", { session: { profile }, settings: { blockWithdrawForOperator } });
      await screen.findByText(/Confere: abertura/);
      await user.keyboard("{Control>}k{/Control}");
      await user.type(await screen.findByRole("combobox"), "sacar");
      if (isFound) await screen.findByRole("option", { name: "Resgatar saldo" });
      else await screen.findByText("Nada encontrado para “sacar”.");
    },
  );

  it("is hidden without the permission to withdraw", async () => {
    const app = renderApp("/pagamentos/saldo", { session: { permissions: ["platform_access"] } });
    await screen.findByText(/Confere: abertura/);
    await settled(app, companySettingsQuery.queryKey);
    expect(screen.queryByRole("button", { name: "Resgatar saldo" })).toBeNull();
  });

  it("STM-028 requires an amount, and at most the balance", async () => {
    const user = userEvent.setup();
    const { dialog, amount } = await openDialog(user);
    await user.click(dialog.getByRole("button", { name: "Confirmar" }));
    dialog.getByText("Digite um valor");
    await user.type(amount, "0,00");
    dialog.getByText("Digite um valor");
    await user.clear(amount);
    await user.type(amount, "48.210,38");
    dialog.getByText("Saldo insuficiente");
    await user.click(dialog.getByRole("button", { name: "Confirmar" }));
    expect(fakeServer.calls(withdrawBalance)).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Resgatar tudo" }));
    expect(dialog.queryByText("Saldo insuficiente")).toBeNull();
  });

  it("STM-029 STM-030 STM-031 withdraws once, reports it, and reads the balance and the entries again", async () => {
    const user = userEvent.setup();
    const { amount } = await openDialog(user);
    const before = [statementCalls(), fakeServer.calls(readBalance).length];
    // By Enter, as from the keyboard.
    await user.type(amount, "1.250,90{Enter}");
    await screen.findByText("Saque realizado com sucesso");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const sent = fakeServer.calls(withdrawBalance);
    expect(sent.map(({ body }) => body)).toEqual([{ value: 1_250_90 }]);
    expect(sent[0]?.headers.get("idempotency-key")).toMatch(/^[\w-]{16,64}$/);
    // The withdrawal left at once.
    expect(screen.queryByText(/sai por TED/)).toBeNull();
    await waitFor(() => expect(statementCalls()).toBeGreaterThan(before[0] ?? 0));
    await waitFor(() => expect(fakeServer.calls(readBalance).length).toBeGreaterThan(before[1] ?? 0));
  });

  it("STM-031 reads the visible page of the visible month again", async () => {
    const user = userEvent.setup();
    fakeServer.on(readStatement, () => ({
      entries: [],
      prevBalance: { date: "2026-02-01", value: 4_821_037 },
      afterBalance: { date: "2026-02-28", value: 4_821_037 },
      totals: { in: 0, out: 0 },
      metadata: { pagination: { itemsPerPage: 50, totalItems: 60 } },
    }));
    renderApp("/pagamentos/saldo?mes=2026-02&pagina=2&resgate=novo");
    await screen.findByText(/Confere: abertura/);
    await screen.findByRole("button", { name: "Confirmar" });
    const before = statementCalls();
    await user.type(await screen.findByLabelText("Quanto você quer resgatar?"), "1,00{Enter}");
    await screen.findByText("Saque realizado com sucesso");
    await waitFor(() => expect(statementCalls()).toBeGreaterThan(before));
    expect(fakeServer.calls(readStatement).at(-1)?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "2",
    });
  });

  it("STM-030 reports that a withdrawal waits for approval, or when a TED outside its hours leaves", async () => {
    const user = userEvent.setup();
    const answers = [{ execute_at: null, awaits_approval: true }, { execute_at: "2031-01-02T09:30:00.000Z" }];
    fakeServer.on(withdrawBalance, ({ body }) => ({
      id: "0198f000-0000-7000-8000-0000000000f1",
      value: body.value,
      ...(answers.shift() ?? { execute_at: null }),
    }));
    const { amount } = await openDialog(user);
    await user.type(amount, "100,00{Enter}");
    await screen.findByText("Enviado para aprovação. Nada acontece antes que outra pessoa aprove.");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByText("Saque realizado com sucesso")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Resgatar saldo" }));
    await user.type(await screen.findByLabelText("Quanto você quer resgatar?"), "50,00{Enter}");
    await screen.findByText("O valor sai por TED em 02/01/2031 06:30.");
    screen.getByText("Saque realizado com sucesso");
  });

  it("STM-030 shows why it was refused, keeps what was typed, and repeats the same key", async () => {
    const user = userEvent.setup();
    fakeServer.on(withdrawBalance, () => refuse("insufficient_balance"));
    const { dialog, amount } = await openDialog(user);
    await user.type(amount, "100,00{Enter}");
    await screen.findByText("Saldo insuficiente.");
    expect((amount as HTMLInputElement).value).toMatch(/100,00/);
    await user.click(dialog.getByRole("button", { name: "Confirmar" }));
    await waitFor(() => expect(fakeServer.calls(withdrawBalance).length).toBeGreaterThan(1));
    const keys = fakeServer.calls(withdrawBalance).map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(1);
  });

  it("STM-030 reports a failed withdrawal when the server gives no reason", async () => {
    const user = userEvent.setup();
    fakeServer.on(withdrawBalance, () => refuseWithoutCode());
    const { amount } = await openDialog(user);
    await user.type(amount, "100,00{Enter}");
    const toast = (await screen.findByText("Ocorreu um erro ao fazer o saque")).closest("[data-tone]");
    expect(toast?.getAttribute("data-tone")).toBe("bad");
  });

  it("repeats a lost withdrawal under the same key even when the balance is gone", async () => {
    const user = userEvent.setup();
    const { dialog, amount } = await openDialog(user);
    fakeServer.on(withdrawBalance, () => refuse("unavailable"));
    fakeServer.on(readBalance, () => ({ value: 0, waiting_value: 0 }));
    await user.type(amount, "48.210,37{Enter}");
    await dialog.findByText(/^R\$\s0,00$/);
    fakeServer.on(withdrawBalance, ({ body }) => ({
      id: "0198f000-0000-7000-8000-0000000000f1",
      value: body.value,
      execute_at: "2026-11-20T19:58:00.000Z",
    }));
    await user.click(dialog.getByRole("button", { name: "Confirmar" }));
    await screen.findByText("Saque realizado com sucesso");
    const keys = fakeServer.calls(withdrawBalance).map(({ headers }) => headers.get("idempotency-key"));
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it("a reopened dialog repeats a lost withdrawal, and starts another once it is discarded", async () => {
    const user = userEvent.setup();
    const first = await openDialog(user);
    fakeServer.on(withdrawBalance, () => refuse("internal"));
    await user.type(first.amount, "100,00{Enter}");
    await first.dialog.findByText("O resgate de R$ 100,00 pode já ter sido feito");
    await user.click(first.dialog.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    await user.click(screen.getByRole("button", { name: "Resgatar saldo" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Resgatar saldo" }));
    const field = await dialog.findByLabelText("Quanto você quer resgatar?");
    expect(field).toHaveProperty("disabled", true);
    await user.click(dialog.getByRole("button", { name: "Confirmar" }));
    await waitFor(() => expect(fakeServer.calls(withdrawBalance)).toHaveLength(2));
    await user.click(dialog.getByRole("button", { name: "Descartar" }));
    await user.type(dialog.getByLabelText("Quanto você quer resgatar?"), "50,00{Enter}");
    await waitFor(() => expect(fakeServer.calls(withdrawBalance)).toHaveLength(3));
    const sent = fakeServer.calls(withdrawBalance);
    expect(sent.map(({ body }) => body)).toEqual([{ value: 100_00 }, { value: 100_00 }, { value: 50_00 }]);
    const [one, two, three] = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect([two === one, three === two]).toEqual([true, false]);
  });

  it("links an admin to the settings when the company has no withdrawal account", async () => {
    const user = userEvent.setup();
    fakeServer.on(readCompanyBankAccount, () => null);
    const app = renderApp("/pagamentos/saldo?resgate=novo");
    const dialog = within(await screen.findByRole("dialog", { name: "Resgatar saldo" }));
    await dialog.findByText("Sua empresa ainda não tem uma conta para saque");
    expect(dialog.queryByRole("button", { name: "Confirmar" })).toBeNull();
    dialog.getByText(/Se ela já foi enviada para aprovação/);
    await user.click(dialog.getByRole("link", { name: "Configurações, Dados bancários" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/configuracoes/dados-bancarios"));
  });

  it("refers a person who is no admin to one when the company has no withdrawal account", async () => {
    fakeServer.on(readCompanyBankAccount, () => null);
    renderApp("/pagamentos/saldo?resgate=novo", { session: { profile: "operator" } });
    const dialog = within(await screen.findByRole("dialog", { name: "Resgatar saldo" }));
    await dialog.findByText("Peça a um administrador que a cadastre em Configurações, Dados bancários.");
    expect(dialog.queryByRole("link")).toBeNull();
  });
});
