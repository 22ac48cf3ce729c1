import { readCheckpoint, readCompanySettings } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import {
  readBalance,
  readStatement,
  type StatementEntry,
  statementEntryTypes,
} from "@malote/contracts/statement";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { generalText } from "../shell/call.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { settled } from "../testing/settled.ts";
import { currentMonth, daysOfMonth } from "../ui/format.ts";
import { noteSystemTime } from "../ui/system-time.ts";
import { looksCancelled } from "./entry-looks.ts";

const batchId = "0198f000-0000-7000-8000-0000000000b1";
let made = 0;

interface EntryFacts extends Omit<Partial<StatementEntry>, "complement"> {
  complement?: Partial<StatementEntry["complement"]>;
}

function buildEntry(given: EntryFacts = {}): StatementEntry {
  made += 1;
  const { complement, ...rest } = given;
  return {
    id: `e${made}`,
    date: "2026-11-20",
    type: "DEPOSIT",
    description: "Pix recebido de Nova Era",
    value: 2_500_000,
    balance: 4_821_037,
    complement: { timestamp: null, bank: null, isTed: false, isPix: false, ...complement },
    ...rest,
  };
}

const payer = {
  name: "Nova Era Ltda",
  bank: "Banco Aurora",
  agency: "0001",
  account: "4820173",
  account_digit: "6",
  account_type: "CONTA_CORRENTE",
  document: "27418639000148",
};
const receivedPix = () =>
  buildEntry({
    complement: {
      timestamp: "2026-11-20T19:58:00.000Z",
      bank: "Banco Aurora",
      isPix: true,
      payer,
      end_to_end_id: "E88888801202611201958abcdefghijk",
      message: "Adiantamento",
    },
  });

function answerWith(
  entries: StatementEntry[],
  given: { totalItems?: number; afterBalance?: number } = {},
): void {
  fakeServer.on(readStatement, () => ({
    entries,
    prevBalance: { date: "2026-02-01", value: 4_130_823 },
    afterBalance: { date: "2026-02-28", value: given.afterBalance ?? 4_821_037 },
    totals: { in: 1_290_214, out: 600_000 },
    metadata: { pagination: { itemsPerPage: 50, totalItems: given.totalItems ?? entries.length } },
  }));
}

const table = () => screen.findByRole("table", { name: "Extrato" });
const rows = async () =>
  within(await table())
    .getAllByRole("row")
    .slice(1);

/** Of a cell, without the heading that telephones show in it. */
const wordsOf = (cell: Element | undefined) =>
  [...(cell?.querySelectorAll(":scope > :last-child") ?? [])].map((one) => one.textContent).join("");

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
});

describe("Saldo", () => {
  it("STM-001 STM-002 STM-016 asks for the current month, and for the first page as page 1", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    await table();
    expect(screen.getByRole("heading", { name: "Saldo", level: 1 })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Extrato" })).toBeTruthy();
    expect(fakeServer.calls(readStatement).at(-1)?.query).toEqual({
      ...daysOfMonth(currentMonth()),
      page: "1",
    });
  });

  it("STM-002 opens on the month of the system's clock, whatever the browser's says", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date("2026-11-22T15:00:00Z") });
    noteSystemTime("2026-12-03T15:00:00.000Z");
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    await table();
    expect(fakeServer.calls(readStatement).at(-1)?.query).toEqual({
      initialDate: "2026-12-01",
      endDate: "2026-12-31",
      page: "1",
    });
    noteSystemTime("2026-11-22T15:00:30.000Z", Date.parse("2026-11-22T15:00:00Z"));
  });

  it("STM-016 takes month and page from the address, and writes a chosen month to it", async () => {
    const user = userEvent.setup();
    answerWith([buildEntry()], { totalItems: 120 });
    const app = renderApp("/pagamentos/saldo?mes=2026-02&pagina=2");
    await table();
    expect(fakeServer.calls(readStatement).at(-1)?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "2",
    });
    await user.click(screen.getByRole("button", { name: "Mês: fevereiro de 2026" }));
    await user.click(await screen.findByRole("button", { name: "março de 2026" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo?mes=2026-03"));
  });

  it("STM-003 SES-027 FST-009 sends a company without first steps to them, and back afterwards to what was asked for", async () => {
    fakeServer.on(readCheckpoint, () => ({ exists: false }));
    fakeServer.keepWaiting(readCompanySettings);
    const company = {
      id: "0198f000-0000-7000-8000-00000000c003",
      name: "Nova",
      cpfCnpj: "1",
      acceptedContract: true,
    };
    const asked = "/pagamentos/saldo?mes=2026-03&lote=0198f000-0000-7000-8000-00000000000a";
    const app = renderApp(asked, { session: { company, profile: "analyst" } });
    await waitFor(() =>
      expect(app.address()).toBe(`/pagamentos/primeiros-passos?redirectedFrom=${encodeURIComponent(asked)}`),
    );
    expect(fakeServer.calls(readCheckpoint)[0]?.query).toEqual({ in_company: "true" });
    expect(fakeServer.calls(readStatement)).toHaveLength(0);
  });

  it("STM-004 has the columns of the requirement in their order", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    const headings = within(await table()).getAllByRole("columnheader");
    expect(headings.map((heading) => heading.textContent)).toEqual([
      "Data",
      "Descrição",
      "Banco",
      "Agência",
      "CC",
      "Status",
      "Valor (R$)",
      "Saldo (R$)",
    ]);
  });

  it("STM-006 says that a month is empty", async () => {
    answerWith([]);
    renderApp("/pagamentos/saldo");
    within(await table()).getByText("Nenhuma movimentação realizada neste período");
  });

  it("STM-007 STM-008 shows the closing balance on the first page and the opening one on the last", async () => {
    const user = userEvent.setup();
    answerWith([buildEntry()], { totalItems: 120 });
    const app = renderApp("/pagamentos/saldo?mes=2026-02");
    const first = (await rows()).map((row) => row.textContent);
    // Its R$ is for phones (SES-073).
    expect(first[0]).toContain("Saldo de fechamentoR$\u00a048.210,37");
    expect(first.join()).not.toContain("Saldo de abertura");
    await user.click(screen.getByRole("button", { name: "Página 2" }));
    await waitFor(() => expect(app.address()).toContain("pagina=2"));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Página 3" }));
    await waitFor(async () => {
      const last = (await rows()).map((row) => row.textContent);
      expect(last.at(-1)).toContain("Saldo de aberturaR$\u00a041.308,23");
      expect(last.join()).not.toContain("Saldo de fechamento");
    });
  });

  it("STM-009 shows the moment of an entry when it is known, else its day", async () => {
    answerWith([buildEntry({ complement: { timestamp: "2026-11-20T19:58:00.000Z" } }), buildEntry()]);
    renderApp("/pagamentos/saldo");
    const texts = (await rows()).map((row) => row.textContent);
    expect(texts[1]).toContain("20/11/2026 16:58");
    expect(texts[2]).toMatch(/20\/11\/2026(?! 1)/);
  });

  it("STM-010 strikes the amounts of the three cancelled types, and of no other", async () => {
    const cancelled = statementEntryTypes.filter((type) => looksCancelled({ type }));
    expect(cancelled).toEqual(["EXPIRED_DEPOSIT", "CANCELLED_DEPOSIT_REFUND", "UNLOCKED"]);
    answerWith([
      buildEntry({ type: "EXPIRED_DEPOSIT", value: 50_000 }),
      buildEntry({ type: "CANCELLED_DEPOSIT_REFUND", value: 60_000 }),
      buildEntry({ type: "UNLOCKED", value: 70_000 }),
      buildEntry(),
    ]);
    renderApp("/pagamentos/saldo");
    for (const amount of [/500,00/, /600,00/, /700,00/])
      expect(within(await table()).getByText(amount).tagName).toBe("S");
    expect(within(await table()).getByText(/25\.000,00/).tagName).toBe("SPAN");
  });

  it("STM-011 fills bank, agency and account of its row, and leaves those of others empty", async () => {
    answerWith([
      buildEntry({ complement: { isPix: true, payer } }),
      buildEntry({ complement: { bank: "Itaú" } }),
      buildEntry({ complement: { isPix: true, payer: { ...payer, account: null } } }),
    ]);
    renderApp("/pagamentos/saldo");
    // Behind the closing balance, before the opening one.
    const cells = (await rows())
      .slice(1, -1)
      .map((row) => within(row).getAllByRole("cell").slice(2, 5).map(wordsOf));
    expect(cells).toEqual([
      ["Banco Aurora", "0001", "4820173-6"],
      ["Itaú", "", ""],
      ["", "", ""],
    ]);
  });

  it("STM-012 draws every type with its word", async () => {
    answerWith(statementEntryTypes.map((type) => buildEntry({ type, description: type })));
    renderApp("/pagamentos/saldo");
    const drawn = (await rows())
      .slice(1, -1)
      .map((row) => within(row).getAllByRole("cell"))
      .map((cells) => [1, 5].map((at) => wordsOf(cells[at])));
    expect(Object.fromEntries(drawn)).toEqual({
      EXPIRED_DEPOSIT: "expirado",
      DEPOSIT: "recebido",
      REFUND: "estornado",
      WITHDRAW: "resgatado",
      PENDING_DEPOSIT: "pendente",
      DEPOSIT_REFUND: "devolvido",
      PENDING_DEPOSIT_REFUND: "pendente",
      CANCELLED_DEPOSIT_REFUND: "cancelado",
      BATCH: "lote pago",
      BLOCKED: "bloqueado",
      BLOCKED_REFUND: "desbloqueado",
      UNLOCKED: "desbloqueado",
      FEE: "tarifa",
    });
  });

  it("STM-013 the entry of a batch opens the batch over the whole screen", async () => {
    const user = userEvent.setup();
    serveBatch({
      batch: buildOpenBatch({ id: batchId }),
      transfers: [],
      balance: 4_821_037,
      filledFirstSteps: true,
    });
    answerWith([
      buildEntry({
        type: "BATCH",
        description: "Lote Folha",
        value: -100,
        complement: { batch_id: batchId },
      }),
    ]);
    const app = renderApp("/pagamentos/saldo");
    await user.click(await screen.findByRole("button", { name: "Lote Folha" }));
    const batch = await screen.findByRole("dialog", { name: "Folha 11/2026" });
    expect(batch.getAttribute("data-place")).toBe("full");
    expect(app.address()).toBe(`/pagamentos/saldo?lote=${batchId}`);
  });

  it("names whom a payment that came back would have paid", async () => {
    const description = "Devolução: Chave PIX não encontrada.";
    const receiver = { ...payer, name: "Rita Lima", bank: null, account: null };
    answerWith([buildEntry({ type: "REFUND", description, value: 100, complement: { receiver } })]);
    renderApp("/pagamentos/saldo");
    const cell = within(await table())
      .getByText(description)
      .closest("td") as HTMLElement;
    within(cell).getByText("Rita Lima");
  });

  it.each([
    ["DEPOSIT", false],
    // Money of a Pix that left, or is there again.
    ["WITHDRAW", true],
    ["BLOCKED_REFUND", true],
    ["CANCELLED_DEPOSIT_REFUND", true],
    ["REFUND", true],
  ] as const)(
    "STM-013 what is neither a batch nor an incoming Pix opens nothing: %s, by Pix: %s",
    async (type, isPix) => {
      answerWith([buildEntry({ type, description: "Outro", complement: { isPix, isTed: !isPix, payer } })]);
      const app = renderApp("/pagamentos/saldo");
      await userEvent.click(within(await table()).getByText("Outro"));
      expect(screen.queryByRole("button", { name: "Outro" })).toBeNull();
      await settled(app);
      expect([screen.queryByRole("dialog"), app.address()]).toEqual([null, "/pagamentos/saldo"]);
    },
  );

  it("STM-013 STM-014 STM-018 an incoming Pix opens its details, one line for each field", async () => {
    const user = userEvent.setup();
    answerWith([receivedPix()]);
    renderApp("/pagamentos/saldo");
    await user.click(await screen.findByRole("button", { name: "Pix recebido de Nova Era" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do Pix recebido" }));
    const lines = dialog
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(lines).toEqual([
      ["Data", "20/11/2026 16:58"],
      ["Nome", "Nova Era Ltda"],
      ["CPF ou CNPJ", "27.418.639/0001-48"],
      ["Banco", "Banco Aurora"],
      ["Agência", "0001"],
      ["Conta", "4820173"],
      ["Dígito da conta", "6"],
      ["Tipo de conta", "Conta corrente"],
      ["Mensagem", "Adiantamento"],
      ["Identificador do Pix", "E88888801202611201958abcdefghijk"],
    ]);
    dialog.getByText(/25\.000,00/);
    await user.click(dialog.getByRole("button", { name: "Copiar identificador do Pix" }));
    expect(await navigator.clipboard.readText()).toBe("E88888801202611201958abcdefghijk");
  });

  it("STM-015 says why the statement could not be loaded, and tries again", async () => {
    const user = userEvent.setup();
    fakeServer.on(readStatement, () => refuse("too_many_requests"));
    renderApp("/pagamentos/saldo");
    expect(await screen.findAllByText(/Muitas chamadas em pouco tempo/)).toHaveLength(2);
    answerWith([buildEntry()]);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await table();
  });

  it.each([
    ["the statement", "a fault of the server", readStatement, () => refuse("internal")],
    ["the statement", "a refusal without a reason", readStatement, () => refuseWithoutCode()],
    ["the balance", "a fault of the server", readBalance, () => refuse("internal")],
    ["the balance", "a refusal without a reason", readBalance, () => refuseWithoutCode()],
  ] as const)("STM-015 of %s that meets %s says the general sentence", async (_, _what, read, refusal) => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    fakeServer.on<Contract>(read, refusal);
    await within(await screen.findByRole("region", { name: "Avisos" })).findByText(generalText);
  });

  it("STM-015 says why the balance could not be loaded, beside a statement that was", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    fakeServer.on(readBalance, () => refuse("too_many_requests"));
    await table();
    expect(await screen.findAllByText(/Muitas chamadas em pouco tempo/)).toHaveLength(1);
  });

  it("STM-017 STM-019 shows balance, waiting amount and the month's sum, and that opening + in − out = closing", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    // Another day than the month's last: not its closing balance.
    fakeServer.on(readBalance, () => ({ value: 4_000_001, waiting_value: 1_234_055 }));
    const figure = (name: string) => within(screen.getByRole("region", { name }));
    await screen.findByText(/Confere: abertura/);
    await figure("Saldo disponível").findByText(/40\.000,01/);
    figure("Aguardando recebimento").getByText(/12\.340,55/);
    figure("Entradas − saídas no mês").getByText(/\+ R\$.6\.902,14/);
    expect(screen.getByText(/41\.308,23 \+ R\$.12\.902,14 − R\$.6\.000,00 = R\$.48\.210,37/)).toBeTruthy();
  });

  it("STM-017 raises its voice when the month does not add up", async () => {
    answerWith([buildEntry()], { afterBalance: 4_821_038 });
    renderApp("/pagamentos/saldo");
    expect((await screen.findByRole("alert")).textContent).toContain("A soma do mês não fecha");
  });
});
