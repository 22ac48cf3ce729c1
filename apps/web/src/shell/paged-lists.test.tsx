/** Every list with numbered pages: its pages, its filters on them, and what happens when one cannot be read. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { listAllBoletos, readBoletoDetails } from "@malote/contracts/boletos";
import { listReceivables, readReceivableTotals } from "@malote/contracts/card-receivables";
import { createCheckpoint, listBanks, readCheckpoint } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import { listPayins, readPayin } from "@malote/contracts/payins";
import { listPaymentLinks } from "@malote/contracts/payment-links";
import { listReceivers, readReceiver } from "@malote/contracts/receivers";
import { readStatement } from "@malote/contracts/statement";
import { listAllTransfers, readTransfer } from "@malote/contracts/transfers";
import { listUsers, readUser } from "@malote/contracts/users";
import { listValidations, readValidation } from "@malote/contracts/validation";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildPayin, noPayins, servePayins } from "../testing/payins.ts";
import { buildBoleto, buildOpenBatch, buildReceiver, buildTransfer, testId } from "../testing/payments.ts";
import { inBatch } from "../testing/payments-page.ts";
import { renderApp } from "../testing/render-app.tsx";
import { buildEntry } from "../testing/statement.ts";
import { buildUser } from "../testing/users.ts";
import { build as buildValidation, person } from "../testing/validation.ts";

interface Line {
  id: string;
  name: string;
}
interface List {
  what: string;
  proves: string;
  /** Screen that shows its pages. */
  source: string;
  /** Path, and each filter that the list has. */
  at: string;
  contract: Contract;
  /** Those filters as they are requested. */
  asked: Record<string, string>;
  failed: string;
  /** Rows, under the name that the answer gives them. */
  rows: (lines: Line[]) => object;
  /** Parameter and call of the row that is opened. */
  opens?: [name: string, contract: Contract];
  /** Number of the first page on the wire; 0 when left out. */
  first?: number;
  app?: Parameters<typeof renderApp>[1];
}

const february = { initialDate: "2026-02-01", endDate: "2026-02-28" };
const total = { total_amount: 1 };
const lists: List[] = [
  {
    what: "batches",
    proves: "BAT-010 BAT-012",
    source: "batches/batch-list-page.tsx",
    at: "/pagamentos/lotes?mes=2026-02&status=rascunho&busca=12",
    contract: listBatches,
    asked: { ...february, status: "DRAFT", search: "12" },
    failed: "Não foi possível carregar os lotes",
    rows: (lines) => ({ data: lines.map(buildOpenBatch), summary: { count: 25, value: 1 } }),
  },
  {
    what: "receivers",
    proves: "RCV-001 RCV-005 SES-080",
    source: "receivers/receivers-page.tsx",
    at: "/pagamentos/recebedores?busca=12&banco=60701190&status=falha",
    contract: listReceivers,
    asked: { search: "12", bankId: "60701190", status: "FAILED" },
    failed: "Não foi possível carregar os recebedores",
    rows: (lines) => ({ data: lines.map(buildReceiver) }),
    opens: ["recebedor", readReceiver],
  },
  {
    what: "users",
    proves: "COM-012 COM-015",
    source: "users/users-page.tsx",
    at: "/minha-empresa/usuarios?busca=12&produto=payments&perfil=operator",
    contract: listUsers,
    asked: { search: "12", application: "payments", profile: "operator" },
    failed: "Não foi possível carregar os usuários",
    rows: (lines) => ({ data: lines.map(buildUser) }),
    opens: ["usuario", readUser],
  },
  {
    what: "validations",
    proves: "VAL-024 VAL-026 VAL-029",
    source: "validation/history-page.tsx",
    at: "/contacerta/validacoes/historico?busca=12&status=invalido&tipo=basica&mes=2026-02",
    contract: listValidations,
    asked: { ...february, searchTerm: "12", valid: "false", type: "BASIC" },
    failed: "Não foi possível carregar as validações",
    rows: (lines) => ({
      data: lines.map(({ id, name }) => buildValidation({ id, data: { ...buildValidation().data, name } })),
    }),
    opens: ["validacao", readValidation],
    app: { session: person },
  },
  {
    what: "transfers",
    proves: "TRF-049 TRF-051 TRF-055 SES-080",
    source: "payments/payments-page.tsx",
    at: "/pagamentos/transferencias?mes=2026-02&status=falha&busca=12&banco=60701190",
    contract: listAllTransfers,
    asked: { ...february, status: "FAILED", search: "12", bankId: "60701190" },
    failed: "Não foi possível carregar as transferências",
    rows: (lines) => ({
      data: lines.map(({ id, name }) => ({ ...buildTransfer({ id, to: { name } }), ...inBatch() })),
    }),
    opens: ["detalhe", readTransfer],
  },
  {
    what: "boletos",
    proves: "BIL-030 BIL-032 SES-080",
    source: "payments/payments-page.tsx",
    at: "/pagamentos/boletos?mes=2026-02&status=falha&busca=12&banco=60701190",
    contract: listAllBoletos,
    asked: { ...february, status: "FAILED", search: "12", bankId: "60701190" },
    failed: "Não foi possível carregar os boletos",
    rows: (lines) => ({ data: lines.map(({ id, name }) => buildBoleto({ id, description: name })) }),
    opens: ["detalhe", readBoletoDetails],
  },
  {
    what: "payins",
    proves: "PAY-003 PAY-004 PAY-005",
    source: "payins/payins-page.tsx",
    at: "/recebimentos/recebiveis?busca=12&de=2026-02-02&ate=2026-02-20&status=received&metodo=boleto",
    contract: listPayins,
    asked: {
      search: "12",
      created_at__gte: "2026-02-02T03:00:00.000Z",
      created_at__lte: "2026-02-21T02:59:59.999Z",
      status__in: "received",
      payment_type__in: "boleto",
      page_size: "10",
    },
    failed: "Ocorreu um erro ao buscar os recebimentos",
    rows: (lines) => ({
      items: lines.map(({ id, name }) => buildPayin({ id, payer: { name, tax_id: null } })),
    }),
    opens: ["recebimento", readPayin],
  },
  {
    what: "payment links",
    proves: "LNK-002 LNK-003",
    source: "payment-links/payment-links-page.tsx",
    at: "/recebimentos/links-de-pagamento?",
    contract: listPaymentLinks,
    asked: {},
    failed: "Ocorreu um erro ao buscar os links de pagamento.",
    rows: (lines) => ({
      items: lines.map((line) => ({
        ...line,
        amount: 1,
        description: null,
        expires_at: "2026-12-01T02:59:59.999Z",
        created_at: "2026-11-20T19:42:00.000Z",
        status: "active",
        payment_methods: ["pix"],
        payment_method_details: {},
        link: "http://malote.test/pagar/AAAAAAAAAAAAAAAAAAAAAA",
        payin_id: null,
      })),
    }),
  },
  {
    what: "card receivables",
    proves: "CRD-003 CRD-004",
    source: "card-receivables/card-receivables-page.tsx",
    at: "/recebimentos/cartao-de-credito?busca=12&de=2026-02-02&ate=2026-02-20&status=received",
    contract: listReceivables,
    asked: {
      search: "12",
      receive_date__gte: "2026-02-02",
      receive_date__lte: "2026-02-20",
      status__in: "received",
      page_size: "10",
    },
    failed: "Ocorreu um erro ao buscar os recebíveis",
    rows: (lines) => ({
      items: lines.map(({ id, name }) => ({
        id,
        status: "received",
        transaction: { date: "2026-10-05T13:00:00.000Z", installments: 1, installment: 1 },
        receive_date: "2026-11-04",
        expected_receive_date: "2026-11-04",
        authorization_code: name,
        gross_amount: 100,
        net_amount: 96,
      })),
    }),
    app: { session: { feature_flags: ["card-charge"] }, settings: { hasCardCharge: true } },
  },
  {
    what: "statement entries",
    proves: "STM-007 STM-016",
    source: "statement/statement-page.tsx",
    at: "/pagamentos/saldo?mes=2026-02",
    contract: readStatement,
    asked: february,
    failed: "Não foi possível carregar o extrato",
    rows: (lines) => ({
      entries: lines.map(({ id, name }) => buildEntry({ id, description: name })),
      prevBalance: { date: "2026-02-01", value: 0 },
      afterBalance: { date: "2026-02-28", value: 0 },
      totals: { in: 0, out: 0 },
    }),
    first: 1,
  },
];

const linesOf = (page: number): Line[] =>
  ["a", "b"].map((which, at) => ({ id: testId(page * 10 + at), name: `Linha ${page}${which}` }));

/** Twenty-five rows in three pages; a page beyond them is empty. */
const answerTo = (list: List) =>
  fakeServer.on<Contract>(list.contract, ({ query }) => {
    const page = Number(query["page"]) - (list.first ?? 0) + 1;
    const rows = list.rows(page <= 3 ? linesOf(page) : []);
    return { ...rows, metadata: { pagination: { itemsPerPage: 10, totalItems: 25 } } };
  });
const open = ({ at, app }: List, page: number) => renderApp(`${at}&pagina=${page}`, app);
const lastAsked = ({ contract }: List) => fakeServer.calls(contract).at(-1)?.query;
const askedAt = ({ asked, first = 0 }: List, page: number) => ({ ...asked, page: String(page - 1 + first) });
const cell = async (name: string) => (await screen.findAllByText(new RegExp(`${name}$`)))[0] as HTMLElement;
const addressOf = ({ at }: List, rest: string) => `${at}&${rest}`.replace("?&", "?");

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(listBanks, () => ({ data: [] }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
  servePayins(() => []);
  fakeServer.on(readReceivableTotals, () => ({
    scheduled: total,
    received: total,
    canceled: total,
    refunded: noPayins,
  }));
});

it("every screen with numbered pages is in this list", () => {
  const folder = join(import.meta.dirname, "..");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name.endsWith(".tsx") &&
      !name.includes(".test.") &&
      /\bnumbered=|<Pagination\b/.test(readFileSync(join(folder, name), "utf8")),
  );
  // The buttons of the pages are drawn for all of them by one component.
  const listPage = "shell/list-page.tsx";
  expect(sources.sort()).toEqual([listPage, ...new Set(lists.map(({ source }) => source))].sort());
});

it.each(lists)(
  "$proves the second and third page of $what show their own rows, with each filter",
  async (list) => {
    answerTo(list);
    const app = open(list, 2);
    await cell("Linha 2a");
    await cell("Linha 2b");
    expect(lastAsked(list)).toEqual(askedAt(list, 2));
    await userEvent.click(screen.getByRole("button", { name: "Página 3" }));
    await cell("Linha 3a");
    await cell("Linha 3b");
    expect(screen.queryAllByText(/Linha 2/)).toEqual([]);
    expect(lastAsked(list)).toEqual(askedAt(list, 3));
    expect(app.address()).toBe(addressOf(list, "pagina=3"));
    screen.getByText("21–25 de 25");
    expect(screen.getByRole("button", { name: "Página 3" }).getAttribute("aria-current")).toBe("page");
  },
);

it.each(lists)(
  "$proves an address beyond the last page of $what opens the last one, with its filters",
  async (list) => {
    answerTo(list);
    const app = open(list, 9);
    await cell("Linha 3b");
    expect(app.address()).toBe(addressOf(list, "pagina=3"));
    expect(lastAsked(list)).toEqual(askedAt(list, 3));
  },
);

it.each(lists)(
  "$proves SES-070 a page of $what that cannot be read says so, and is read again on demand",
  async (list) => {
    const answerNothing = () => fakeServer.on<Contract>(list.contract, () => refuse("internal"));
    const again = () => userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
    answerNothing();
    const app = open(list, 3);
    await screen.findByText(list.failed);
    expect(screen.queryByRole("navigation", { name: "Páginas" })).toBeNull();
    answerTo(list);
    await again();
    await cell("Linha 3b");
    expect(screen.queryByText(list.failed)).toBeNull();
    answerNothing();
    await act(() => app.queryClient.refetchQueries());
    await screen.findByText(list.failed);
    // What was read stays below.
    await cell("Linha 3b");
    answerTo(list);
    await again();
    await waitFor(() => expect(screen.queryByText(list.failed)).toBeNull());
    expect(lastAsked(list)).toEqual(askedAt(list, 3));
  },
);

it.each(lists.filter(({ opens }) => opens))(
  "$proves the pressed row of the third page of $what opens, above its page",
  async (list) => {
    const [name, contract] = list.opens as [string, Contract];
    answerTo(list);
    fakeServer.keepWaiting(contract);
    const app = open(list, 3);
    await userEvent.click(await cell("Linha 3b"));
    const id = testId(31);
    await waitFor(() => expect(fakeServer.calls(contract).map(({ params }) => params["id"])).toEqual([id]));
    expect(app.address()).toBe(addressOf(list, `pagina=3&${name}=${id}`));
    expect(lastAsked(list)).toEqual(askedAt(list, 3));
  },
);
