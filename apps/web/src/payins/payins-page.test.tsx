import { listReceivables, readReceivableTotals } from "@malote/contracts/card-receivables";
import { createCheckpoint } from "@malote/contracts/company";
import {
  downloadPayinReceipt,
  downloadPayinReport,
  downloadRefundReceipt,
  listPayinRefunds,
  listPayins,
  type Payin,
  readPayin,
  readPayinReport,
  readPayinTotals,
  refundPayin,
  requestPayinReport,
} from "@malote/contracts/payins";
import { listPaymentLinks } from "@malote/contracts/payment-links";
import { cardRejections } from "@malote/domain/card-rejections";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { currentMonth, daysOfMonth } from "../ui/format.ts";
import { payins as feature } from "./feature.ts";
import { refundObstacle, refundTip } from "./refund-rules.ts";

const textOf = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");
const isOff = (element: Element) => element.hasAttribute("disabled");
const typedIn = (field: Element) => (field as HTMLInputElement).value;
const home = "/recebimentos/recebiveis";
const none = { total_amount: 0, count: 0 };
let made = 0;

function buildPayin(changes: Partial<Payin> = {}): Payin {
  const id = `01990000-0000-7000-8000-${String(++made).padStart(12, "0")}`;
  return {
    id,
    status: "received",
    created_at: "2026-11-10T13:00:00.000Z",
    updated_at: "2026-11-10T13:00:00.000Z",
    received_at: "2026-11-10T13:00:00.000Z",
    refund_expires_at: "2099-01-01T00:00:00.000Z",
    expires_at: null,
    amount: 150_00,
    original_amount: null,
    received_amount: 150_00,
    refunded_amount: 0,
    refundable_amount: 150_00,
    rejected_at: null,
    payer: { name: "Bruno Sales", tax_id: "***.982.247-**" },
    payment_type: "pix_key",
    category: "payment",
    payment_link_id: null,
    paid_twice: false,
    end_to_end_id: "E88888801202611101300abcdefghijk",
    txid: null,
    payment_link: null,
    message: null,
    infraction_ids: [],
    boleto_url: null,
    receipt_file_url: null,
    block: null,
    details: {
      installments: null,
      digitable_line: null,
      authorization_code: null,
      pix_key: "pix@aurora.example",
      due_date: null,
      charge_id: null,
      interest_type: null,
      interest_amount: null,
      interest_percent: null,
      fine_type: null,
      fine_amount: null,
      fine_percent: null,
      rejection_reason: null,
    },
    ...changes,
  };
}

let all: Payin[];
let one: Payin;
const listOf = (items: Payin[], pagination = {}) => ({
  items,
  metadata: { pagination: { itemsPerPage: 10, totalItems: items.length, ...pagination } },
});
const asked = () => fakeServer.calls(listPayins).map(({ query }) => query);
const rowOf = async (name: string) =>
  (await screen.findByRole("link", { name })).closest("tr") as HTMLElement;

beforeEach(() => {
  one = buildPayin();
  all = [one];
  fakeServer.on(listPayins, () => listOf(all));
  fakeServer.on(readPayinTotals, () => ({
    pending: none,
    authorized: { total_amount: 90_00, count: 1 },
    received: { total_amount: 150_00, count: 1 },
    refunded: none,
    blocked: { total_amount: 200_00, count: 2 },
    canceled: none,
    unauthorized: none,
    expired: { total_amount: 349_90, count: 1 },
  }));
  fakeServer.on(readPayin, ({ params }) => all.find(({ id }) => id === params["id"]) ?? refuse("not_found"));
  fakeServer.on(listPayinRefunds, () => ({
    items: [],
    metadata: { pagination: { itemsPerPage: 0, totalItems: 0 } },
  }));
});

describe("the list", () => {
  it("PAY-002 PAY-005 PAY-010 PAY-017 SHL-029 opens from the area's own address, with totals, filters and columns", async () => {
    const app = renderApp("/recebimentos", { features: [feature, placeholderScreens("NewPaymentLinkPage")] });
    const row = await rowOf("Bruno Sales");
    expect(app.address()).toBe(home);
    expect(screen.getByRole("heading", { level: 1, name: "Seus recebimentos" })).toBeTruthy();
    const menu = screen.getByRole("navigation", { name: "Recebimentos" });
    expect(within(menu).getByRole("link", { name: "Seus recebimentos" }).getAttribute("aria-current")).toBe(
      "page",
    );
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Data",
      "Pagador",
      "Documento",
      "Método",
      "ID Pix",
      "Valor",
      "Status",
      "Devolver",
    ]);
    expect(textOf(row)).toContain("***.982.247-**");
    expect(textOf(row)).toContain("Chave Pix");
    expect(textOf(within(row).getByTitle(one.end_to_end_id ?? ""))).toContain("E8888880…");
    const totals = screen.getByRole("region", { name: "Totais por status" });
    expect([...totals.children].map((card) => textOf(card))).toEqual([
      "RecebidoR$ 150,001 recebimento",
      "A receberR$ 90,001 recebimento",
      "PendenteR$ 0,000 recebimentos",
      "BloqueadoR$ 200,002 recebimentos",
      "DevolvidoR$ 0,000 recebimentos",
      "CanceladoR$ 0,000 recebimentos",
      "NegadoR$ 0,000 recebimentos",
      "ExpiradoR$ 349,901 recebimento",
    ]);
    expect(screen.getByRole("link", { name: "Criar link de pagamento" })).toBeTruthy();
    const { initialDate, endDate } = daysOfMonth(currentMonth());
    expect(asked()[0]).toMatchObject({
      created_at__gte: new Date(`${initialDate}T00:00:00-03:00`).toISOString(),
      created_at__lte: new Date(`${endDate}T23:59:59.999-03:00`).toISOString(),
      page: "0",
      page_size: "10",
    });
  });

  it("PAY-001 the area's address leads to the receipts, and its children are the links, a new link and the card", async () => {
    fakeServer.on(listPaymentLinks, () => ({
      items: [],
      metadata: { pagination: { itemsPerPage: 10, totalItems: 0 } },
    }));
    fakeServer.on(listReceivables, () => ({
      items: [],
      metadata: { pagination: { itemsPerPage: 10, totalItems: 0 } },
    }));
    const nothing = { total_amount: 0 };
    fakeServer.on(readReceivableTotals, () => ({
      scheduled: nothing,
      received: nothing,
      canceled: nothing,
      refunded: nothing,
    }));
    const app = renderApp("/recebimentos", {
      session: { feature_flags: ["card-charge"] },
      settings: { hasCardCharge: true },
    });
    await rowOf("Bruno Sales");
    expect(app.address()).toBe("/recebimentos/recebiveis");
    const menu = screen.getByRole("navigation", { name: "Recebimentos" });
    expect(
      within(menu)
        .getAllByRole("link")
        .map((link) => [link.textContent, link.getAttribute("href")]),
    ).toEqual([
      ["Seus recebimentos", "/recebimentos/recebiveis"],
      ["Cartão de crédito", "/recebimentos/cartao-de-credito"],
      ["Links de pagamento", "/recebimentos/links-de-pagamento"],
    ]);
    for (const [address, heading] of [
      ["/recebimentos/links-de-pagamento", "Links de pagamento"],
      ["/recebimentos/links-de-pagamento/novo", "Criar link de pagamento"],
      ["/recebimentos/cartao-de-credito", "Cartão de crédito"],
    ] as const) {
      act(() => app.history.push(address));
      await screen.findByRole("heading", { level: 1, name: heading });
      expect(app.address()).toBe(address);
    }
  });

  it("PAY-005 a row and its payer open the details, and a row offers the refund", async () => {
    const app = renderApp(home);
    await userEvent.click(within(await rowOf("Bruno Sales")).getByText("Chave Pix"));
    await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(app.address()).toBe(`${home}?recebimento=${one.id}`);
    await userEvent.click(screen.getByRole("button", { name: "Fechar detalhes" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.click(await screen.findByRole("link", { name: "Bruno Sales" }));
    await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    await userEvent.click(screen.getByRole("button", { name: "Fechar detalhes" }));
    await userEvent.click(screen.getByRole("button", { name: "Devolver a Bruno Sales" }));
    await screen.findByRole("dialog", { name: "Devolver recebimento" });
  });

  it.each([
    ["the permission", { permissions: ["platform_access"] }],
    ["a profile that may make links", { profile: "analyst" as const }],
  ])("PAY-002 the link button needs %s", async (_, session) => {
    renderApp(home, { features: [feature, placeholderScreens("NewPaymentLinkPage")], session });
    await rowOf("Bruno Sales");
    expect(screen.queryByRole("link", { name: "Criar link de pagamento" })).toBeNull();
  });

  it("PAY-003 PAY-016 filters by several statuses and methods, kept in the address", async () => {
    const app = renderApp(home);
    await rowOf("Bruno Sales");
    await userEvent.click(screen.getByRole("button", { name: /^Status:/ }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Cancelado" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Devolvido" }));
    await userEvent.keyboard("{Escape}");
    await userEvent.click(screen.getByRole("button", { name: /^Método/ }));
    expect(screen.getAllByRole("checkbox").map((box) => box.getAttribute("aria-label"))).toEqual([
      "Chave Pix",
      "QR Code Pix estático",
      "QR Code Pix dinâmico",
      "Boleto",
      "QR Code do boleto",
      "Manual",
      "Cartão de crédito",
      "TED",
    ]);
    await userEvent.click(screen.getByRole("checkbox", { name: "TED" }));
    expect(decodeURIComponent(app.address())).toContain("status=canceled,refunded&metodo=ted");
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ payment_type__in: "ted" }));
    await userEvent.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).toBe(home));
  });

  it("PAY-007 shows nothing of before 2024, and asks from its first day on", async () => {
    renderApp(`${home}?de=2020-01-01&ate=2023-12-31`);
    expect(await screen.findByText("Dados disponíveis a partir de Janeiro de 2024")).toBeTruthy();
    expect(asked()).toEqual([]);
    renderApp(`${home}?de=2020-01-01&ate=2024-03-31`);
    await rowOf("Bruno Sales");
    expect(asked()[0]?.["created_at__gte"]).toBe("2024-01-01T03:00:00.000Z");
  });

  it("PAY-017 dims figures of other filters until the new ones come, and shows none of before 2024", async () => {
    const app = renderApp(home);
    const received = await screen.findByText(/^R\$.150,00 recebidos em 1 recebimento$/);
    const totals = () => screen.getByRole("region", { name: "Totais por status" });
    expect([totals(), received].map((one) => one.hasAttribute("data-dim"))).toEqual([false, false]);
    fakeServer.keepWaiting(readPayinTotals);
    act(() => app.history.push(`${home}?status=received`));
    await waitFor(() => expect(totals().getAttribute("aria-busy")).toBe("true"));
    const dimmed = await screen.findByText(/150,00 recebidos/);
    expect([totals(), dimmed].map((one) => one.hasAttribute("data-dim"))).toEqual([true, true]);
    act(() => app.history.push(`${home}?de=2020-01-01&ate=2023-12-31`));
    await screen.findByText("Escolha um período que termine em 1º de janeiro de 2024 ou depois.");
    expect(screen.queryByText(/recebidos em/)).toBeNull();
  });

  it("PAY-004 walks by cursor where the answer has cursors, else by number", async () => {
    fakeServer.on(listPayins, () => listOf(all, { totalItems: 10_001, next: "bmV4dA", previous: null }));
    const app = renderApp(home);
    await userEvent.click(await screen.findByRole("button", { name: "Próxima" }));
    expect(isOff(screen.getByRole("button", { name: "Anterior" }))).toBe(true);
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ page_cursor: "bmV4dA" }));
    expect(app.address()).toContain("cursor=bmV4dA");
    fakeServer.on(listPayins, () => listOf(all, { totalItems: 25 }));
    app.unmount();
    renderApp(home);
    await userEvent.click(await screen.findByRole("button", { name: "Página 3" }));
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ page: "2" }));
  });

  it("PAY-008 PAY-019 says what could not be read", async () => {
    fakeServer.on(listPayins, () => refuse("internal"));
    fakeServer.on(readPayinTotals, () => refuse("internal"));
    renderApp(home);
    expect(await screen.findByText("Ocorreu um erro ao buscar os recebimentos")).toBeTruthy();
    expect(await screen.findByText("Ocorreu um erro ao buscar os totalizadores")).toBeTruthy();
  });

  it("PAY-009 with the flag is simple: no details and no refund", async () => {
    // It is there at once, so that it would be seen, were it opened.
    await import("./payin-dialog.tsx");
    renderApp(`${home}?recebimento=${one.id}`, { session: { feature_flags: ["payin-simplified-version"] } });
    await screen.findByText("***.982.247-**");
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Documento",
      "Valor",
      "ID Pix",
    ]);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(fakeServer.calls(readPayin)).toEqual([]);
    expect(screen.queryByRole("button", { name: /Devolver/ })).toBeNull();
  });

  it("PAY-012 PAY-013 PAY-015 names each status, and looks again each 5 s while a refund is on its way", async () => {
    const shown = [
      ["pending", "Pendente", "yellow"],
      ["received", "Recebido", "green"],
      ["canceled", "Cancelado", "grey"],
      ["canceled_by_user", "Cancelado", "grey"],
      ["canceled_by_psp", "Cancelado", "grey"],
      ["refunded", "Devolvido", "red"],
      ["partially_refunded", "Devolvido", "red"],
      ["refunding", "Processando", "white"],
      ["rejected", "Processando", "white"],
      ["authorized", "A receber", "yellow"],
      ["unauthorized", "Negado", "red"],
      ["blocked", "Bloqueado", "red"],
      ["expired", "Expirado", "grey"],
      ["active", "Ativo", "blue"],
    ] as const;
    all = shown.map(([status]) =>
      buildPayin({ status, payer: { name: `Situação ${status}`, tax_id: null } }),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true });
    renderApp(home);
    for (const [status, name, color] of shown) {
      const pill = within(await rowOf(`Situação ${status}`)).getByText(name);
      expect([status, pill.getAttribute("data-color")]).toEqual([status, color]);
    }
    const before = asked().length;
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(asked().length).toBe(before);
    all = [one];
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    await waitFor(() => expect(asked().length).toBe(before + 1));
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(asked().length).toBe(before + 1);
  });
});

it("SES-070 says above the list that it could not be read again, and follows on on demand", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  all = [{ ...one, status: "refunding" }];
  renderApp(home);
  expect(textOf(await rowOf("Bruno Sales"))).toContain("Processando");
  fakeServer.on(listPayins, () => refuse("internal"));
  await act(() => vi.advanceTimersByTimeAsync(5_100));
  await screen.findByText("Ocorreu um erro ao buscar os recebimentos");
  expect(textOf(await rowOf("Bruno Sales"))).toContain("Processando");
  all = [{ ...one, status: "refunded", refundable_amount: 0 }];
  fakeServer.on(listPayins, () => listOf(all));
  fireEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(textOf(await rowOf("Bruno Sales"))).toContain("Devolvido");
});

it("details and figures follow a refund to its end", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  all = [{ ...one, status: "refunding" }];
  let state: "processing" | "succeeded" = "processing";
  fakeServer.on(listPayinRefunds, () => ({
    items: [
      {
        id: one.id,
        amount: 150_00,
        created_at: "2026-11-11T13:00:00.000Z",
        receipt_file_url: null,
        status: state,
        error: null,
      },
    ],
    metadata: { pagination: { itemsPerPage: 1, totalItems: 1 } },
  }));
  renderApp(`${home}?recebimento=${one.id}`);
  const dialog = within(await screen.findByRole("dialog"));
  // Of the payin, and of its refund.
  await waitFor(() => expect(dialog.queryAllByText("Processando")).toHaveLength(2));
  const totals = fakeServer.calls(readPayinTotals).length;
  await act(() => vi.advanceTimersByTimeAsync(5_100));
  expect(fakeServer.calls(readPayinTotals)).toHaveLength(totals);
  // SES-070: an error stops the looking and is shown; the person starts it again.
  fakeServer.on(readPayin, () => refuse("internal"));
  await act(() => vi.advanceTimersByTimeAsync(5_100));
  const notice = (await dialog.findByText("Não foi possível atualizar o recebimento")).closest(
    "[role=alert]",
  );
  fakeServer.on(readPayin, () => all[0] ?? refuse("not_found"));
  fireEvent.click(within(notice as HTMLElement).getByRole("button", { name: "Tentar de novo" }));
  await waitFor(() => expect(dialog.queryByText("Não foi possível atualizar o recebimento")).toBeNull());
  all = [{ ...one, status: "refunded", refunded_amount: 150_00, refundable_amount: 0 }];
  state = "succeeded";
  await act(() => vi.advanceTimersByTimeAsync(5_100));
  await waitFor(() => expect(dialog.queryByText("Processando")).toBeNull());
  await waitFor(() => expect(fakeServer.calls(readPayinTotals)).toHaveLength(totals + 1));
  const looks = [readPayin, listPayinRefunds, listPayins].map((of) => fakeServer.calls(of).length);
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  expect([readPayin, listPayinRefunds, listPayins].map((of) => fakeServer.calls(of).length)).toEqual(looks);
});

it("an address beyond the last page leads to one that is there", async () => {
  fakeServer.on(listPayins, ({ query }) =>
    query["page_cursor"]
      ? listOf([], { totalItems: 10_001, next: null, previous: null })
      : listOf(Number(query["page"]) > 2 ? [] : all, { totalItems: 25 }),
  );
  const numbered = renderApp(`${home}?pagina=9`);
  await rowOf("Bruno Sales");
  expect(numbered.address()).toBe(`${home}?pagina=3`);
  numbered.unmount();
  const placed = renderApp(`${home}?cursor=b2xk`);
  await rowOf("Bruno Sales");
  expect(placed.address()).toBe(home);
});

it("figures that could not be read can be asked for again", async () => {
  fakeServer.on(readPayinTotals, () => refuse("internal"));
  renderApp(home);
  await screen.findByText("Os totais não puderam ser lidos");
  fakeServer.on(readPayinTotals, () => ({
    pending: none,
    authorized: none,
    received: { total_amount: 77_00, count: 1 },
    refunded: none,
    blocked: none,
    canceled: none,
    unauthorized: none,
    expired: none,
  }));
  await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
  const totals = await screen.findByRole("region", { name: "Totais por status" });
  expect(textOf(totals)).toContain("77,00");
});

it("PAY-006 waits half a second for the typing and then 300 ms, for the list and its totals alike", async () => {
  renderApp(home);
  await rowOf("Bruno Sales");
  const searched = () =>
    [listPayins, readPayinTotals].map((of) => fakeServer.calls(of).at(-1)?.query["search"]);
  vi.useFakeTimers();
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "bru" } });
  await act(() => vi.advanceTimersByTimeAsync(490));
  await act(() => vi.advanceTimersByTimeAsync(290));
  expect(searched()).toEqual([undefined, undefined]);
  await act(() => vi.advanceTimersByTimeAsync(40));
  expect(searched()).toEqual(["bru", "bru"]);
});

it("PAY-011 a copy button says for one second that it copied", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  renderApp(home);
  await user.click(within(await rowOf("Bruno Sales")).getByRole("button", { name: "Copiar ID Pix" }));
  expect(await screen.findByRole("button", { name: "Copiado" })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(one.end_to_end_id);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.queryByRole("button", { name: "Copiado" })).toBeNull();
});

describe("details", () => {
  it("PAY-010 PAY-020 PAY-022 PAY-024 says what there is, with a notice for what is blocked", async () => {
    all = [
      buildPayin({
        status: "blocked",
        block: {
          block_reason: "Suspeita",
          amount: 150_00,
          blocked_at: "2026-11-10T14:00:00.000Z",
          kept_at: null,
          unblocked_at: null,
        },
        details: {
          ...one.details,
          interest_type: "percentage_per_month",
          interest_percent: 1.5,
          fine_type: "fixed",
          fine_amount: 2_00,
        },
      }),
    ];
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    expect(await dialog.findByText(/O bloqueio dura até 72 horas/)).toBeTruthy();
    expect(dialog.getByText("Percentual ao mês · 1,5%")).toBeTruthy();
    expect(dialog.getByText("Valor fixo · R$ 2,00")).toBeTruthy();
    expect(textOf(dialog.getByTitle(all[0]?.id ?? ""))).toContain("01990000-0000-7000-8…");
  });

  it.each<[string, Partial<Payin>, object, RegExp, RegExp]>([
    [
      "while it is analysed",
      { status: "blocked" },
      {},
      /^Recebimento com bloqueio cautelar$/,
      /dura até 72 horas.*pode continuar bloqueado, voltar a ser recebido ou ser devolvido/,
    ],
    [
      "that goes on",
      { status: "blocked" },
      { kept_at: "2026-11-13T14:00:00.000Z" },
      /^Recebimento continua bloqueado$/,
      /A análise terminou em 13\/11\/2026 11:00 e R\$ 150,00 continuam fora do seu saldo/,
    ],
    [
      "that let go",
      { status: "received" },
      { unblocked_at: "2026-11-13T14:00:00.000Z" },
      /^Bloqueio cautelar encerrado: valor liberado$/,
      /R\$ 150,00 voltaram ao seu saldo em 13\/11\/2026 11:00/,
    ],
    [
      "whose money goes back",
      { status: "rejected", rejected_at: "2026-11-13T14:00:00.000Z", refundable_amount: 0 },
      {},
      /^Bloqueio cautelar encerrado: devolução ao pagador$/,
      /está devolvendo R\$ 150,00 ao pagador/,
    ],
  ])("PAY-024 reports a block %s", async (_, changes, block, title, text) => {
    const blocked = {
      block_reason: "Suspeita",
      amount: 150_00,
      blocked_at: "2026-11-10T14:00:00.000Z",
      kept_at: null,
      unblocked_at: null,
      ...block,
    };
    all = [buildPayin({ ...changes, block: blocked })];
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    const notice = (await within(dialog).findByText(title)).closest("[data-tone]");
    expect(textOf(notice)).toMatch(text);
  });

  it.each([
    ["fixed_per_day", "Valor fixo por dia"],
    ["percentage_per_day", "Percentual ao dia"],
    ["percentage_per_month", "Percentual ao mês"],
    ["percentage_per_year", "Percentual ao ano"],
    ["fixed_per_working_day", "Valor fixo por dia útil"],
    ["percentage_per_working_day", "Percentual ao dia útil"],
    ["percentage_per_month_working_days", "Percentual ao mês, em dias úteis"],
    ["percentage_per_year_working_days", "Percentual ao ano, em dias úteis"],
  ])("PAY-023 names the interest %s", async (interest_type, words) => {
    all = [buildPayin({ details: { ...one.details, interest_type } })];
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    const term = await dialog.findByText("Juros");
    expect(textOf(term.nextElementSibling)).toBe(words);
  });

  it.each([
    ["fixed", "Valor fixo"],
    ["percentage", "Percentual"],
  ])("PAY-023 names the fine %s", async (fine_type, words) => {
    all = [buildPayin({ details: { ...one.details, fine_type } })];
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    const term = await dialog.findByText("Multa");
    expect(textOf(term.nextElementSibling)).toBe(words);
  });

  it.each(Object.entries(cardRejections))(
    "PAY-025 says why a card was refused: %s",
    async (code, message) => {
      all = [
        buildPayin({
          status: "unauthorized",
          payment_type: "credit_card",
          refundable_amount: 0,
          details: { ...one.details, rejection_reason: code },
        }),
      ];
      renderApp(`${home}?recebimento=${all[0]?.id}`);
      const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
      expect(await dialog.findByText(message)).toBeTruthy();
      expect(dialog.getByText(`Código: ${code}`)).toBeTruthy();
    },
  );

  it("PAY-020 PAY-033 FST-024 says what was sold and what the payer wrote, and gives the receipts", async () => {
    all = [
      buildPayin({
        status: "partially_refunded",
        refunded_amount: 50_00,
        payment_link_id: "0198f000-0000-7000-8000-0000000000d1",
        payment_link: { name: "Curso de outubro", description: "Turma da noite" },
        message: "Pedido 991",
        txid: "PEDIDO991",
        receipt_file_url: "/api/payments/app/payins/1/receipt",
      }),
    ];
    fakeServer.on(listPayinRefunds, () => ({
      items: [
        {
          id: one.id,
          amount: 50_00,
          created_at: "2026-11-11T13:00:00.000Z",
          receipt_file_url: "/receipt",
          status: "succeeded" as const,
          error: null,
        },
      ],
      metadata: { pagination: { itemsPerPage: 1, totalItems: 1 } },
    }));
    fakeServer.on(downloadPayinReceipt, () => new Blob(["%PDF of the payin"]));
    fakeServer.on(downloadRefundReceipt, () => new Blob(["%PDF of the refund"]));
    const saved = watchSavedFiles();
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    for (const text of ["Curso de outubro", "Turma da noite", "Pedido 991", "PEDIDO991"])
      expect(await dialog.findByText(text)).toBeTruthy();
    await userEvent.click(dialog.getByRole("button", { name: "Baixar comprovante" }));
    await userEvent.click(await dialog.findByRole("button", { name: "Comprovante da devolução" }));
    await waitFor(() => expect(saved).toEqual(Array(2).fill("comprovante-bruno-sales.pdf")));
    await waitFor(() => expect(recordedMarks()).toEqual(Array(2).fill("HAS_DOWNLOADED_RECEIPTS")));
    expect(fakeServer.calls(downloadRefundReceipt)).toHaveLength(1);
  });

  it("leads from a contested Pix to its contestation", async () => {
    all = [buildPayin({ infraction_ids: ["0198f000-0000-7000-8000-0000000000f1"] })];
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    await screen.findByText("O pagador contestou este Pix");
    expect(screen.getByRole("link", { name: "Ver a contestação" }).getAttribute("href")).toBe(
      "/contestacoes/infracoes/0198f000-0000-7000-8000-0000000000f1",
    );
  });

  it("reports a card sale that was undone what left the balance and what never came", async () => {
    all = [
      buildPayin({
        payment_type: "credit_card",
        status: "refunded",
        amount: 199_90,
        received_amount: 66_64,
        refunded_amount: 199_90,
        refundable_amount: 0,
      }),
    ];
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    const line = async (label: string) => textOf((await dialog.findByText(label)).nextElementSibling);
    expect([
      await line("Venda desfeita"),
      await line("Saiu do seu saldo"),
      await line("Parcelas que não chegam mais"),
    ]).toEqual(["R$ 199,90", "R$ 66,64", "R$ 133,26"]);
  });

  it("PAY-025 says why a card was refused, and the bare code of what it does not know", async () => {
    const refused = (reason: string) =>
      buildPayin({
        status: "unauthorized",
        payment_type: "credit_card",
        refundable_amount: 0,
        details: { ...one.details, rejection_reason: reason },
      });
    all = [refused("payer_limit_exceeded"), refused("from_tomorrow")];
    const known = renderApp(`${home}?recebimento=${all[0]?.id}`);
    expect(await screen.findByText(new RegExp(cardRejections["payer_limit_exceeded"] ?? ""))).toBeTruthy();
    expect(screen.getByText("Código: payer_limit_exceeded")).toBeTruthy();
    known.unmount();
    renderApp(`${home}?recebimento=${all[1]?.id}`);
    expect(await screen.findByText("Venda negada: from_tomorrow")).toBeTruthy();
  });

  it("PAY-008 PAY-026 PAY-034 says what failed, and offers no refund of what was rejected", async () => {
    all = [buildPayin({ rejected_at: "2026-11-11T13:00:00.000Z" })];
    fakeServer.on(listPayinRefunds, () => ({
      items: [
        {
          id: one.id,
          amount: 50_00,
          created_at: "2026-11-11T13:00:00.000Z",
          receipt_file_url: null,
          status: "failed" as const,
          error: "A conta do pagador foi encerrada.",
        },
      ],
      metadata: { pagination: { itemsPerPage: 1, totalItems: 1 } },
    }));
    const app = renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("Ocorreu um erro nessa tentativa de cobrança")).toBeTruthy();
    expect(dialog.getByText("A conta do pagador foi encerrada.")).toBeTruthy();
    expect(isOff(dialog.getByRole("button", { name: "Devolver" }))).toBe(true);
    app.unmount();
    renderApp(`${home}?recebimento=${one.id}`);
    expect(await screen.findByText("Ocorreu um erro ao buscar o recebimento")).toBeTruthy();
  });
});

describe("a refund", () => {
  const openRefund = async () => {
    await userEvent.click(within(await rowOf("Bruno Sales")).getByRole("button", { name: /^Devolver/ }));
    return screen.findByRole("dialog", { name: "Devolver recebimento" });
  };
  const refundOf = (amount: number) => ({
    id: one.id,
    amount,
    created_at: "2026-11-11T13:00:00.000Z",
    receipt_file_url: null,
    status: "processing" as const,
    error: null,
  });

  it("PAY-030 PAY-031 PAY-032 asks how much, then whether, and sends it once", async () => {
    fakeServer.on(refundPayin, ({ body }) => refundOf(body.amount));
    renderApp(home);
    await openRefund();
    expect(screen.getByText("Você pode devolver até R$ 150,00")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    expect(screen.getByText("Digite um valor para devolução")).toBeTruthy();
    const field = screen.getByLabelText("Valor da devolução");
    await userEvent.type(field, "0");
    expect(screen.getByText("Digite um valor maior que zero")).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.type(field, "150,01");
    expect(screen.getByText("O valor passa do que pode ser devolvido")).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.type(field, "50");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    expect(screen.getByText("Tem certeza que deseja devolver R$ 50,00 para Bruno Sales?")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    expect(typedIn(screen.getByLabelText("Valor da devolução"))).toBe("R$ 50,00");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    await userEvent.dblClick(screen.getByRole("button", { name: "Devolver" }));
    expect(await screen.findByText("Valor devolvido com sucesso")).toBeTruthy();
    expect(fakeServer.calls(refundPayin).map(({ body }) => body)).toEqual([{ amount: 50_00 }]);
  });

  it("PAY-028 PAY-031 PAY-032 of a card is whole, and a failure keeps what was chosen", async () => {
    all = [buildPayin({ payment_type: "credit_card", status: "authorized" })];
    fakeServer.on(refundPayin, () => refuseWithoutCode());
    renderApp(home);
    await openRefund();
    const field = screen.getByLabelText("Valor da devolução");
    expect(screen.getByText("Você pode devolver até R$ 150,00, somente por inteiro")).toBeTruthy();
    expect(isOff(field)).toBe(true);
    expect(typedIn(field)).toBe("R$ 150,00");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    expect(await screen.findByText("Ocorreu um erro na devolução de valor")).toBeTruthy();
    expect(screen.getByText(/Tem certeza que deseja devolver R\$ 150,00/)).toBeTruthy();
  });

  it("PAY-028 of a blocked Pix is whole as well", async () => {
    const blocked_at = "2026-11-10T14:00:00.000Z";
    const block = { block_reason: "Suspeita", amount: 150_00, blocked_at, kept_at: null, unblocked_at: null };
    all = [buildPayin({ status: "blocked", block })];
    renderApp(home);
    await openRefund();
    const field = screen.getByLabelText("Valor da devolução");
    expect(isOff(field)).toBe(true);
    expect(typedIn(field)).toBe("R$ 150,00");
  });

  it("PAY-032 whose answer was lost is sent again as it was, also from a dialog that was opened anew", async () => {
    const send = async () => {
      await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
      await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    };
    fakeServer.on(refundPayin, () => refuse("internal"));
    // The list is not read again in time; the payin itself is, and says what is left of it.
    renderApp(home);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await send();
    await screen.findByText("A devolução de R$ 100,00 pode já ter sido feita");
    all = [{ ...one, refundable_amount: 50_00, refunded_amount: 100_00 }];
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    await openRefund();
    const field = screen.getByLabelText("Valor da devolução");
    expect([typedIn(field), isOff(field)]).toEqual(["R$ 100,00", true]);
    fakeServer.on(refundPayin, () => refuse("too_many_requests"));
    await send();
    // Says nothing of the first try.
    await screen.findByText(/Muitas chamadas/);
    expect(screen.getByText("A devolução de R$ 100,00 pode já ter sido feita")).toBeTruthy();
    fakeServer.on(refundPayin, ({ body }) => refundOf(body.amount));
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    await screen.findByText("Valor devolvido com sucesso");
    const sent = fakeServer.calls(refundPayin);
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill({ amount: 100_00 }));
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);

    // It is known now: what is given back next is another refund, of what is left.
    await openRefund();
    await screen.findByText("Você pode devolver até R$ 50,00");
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "20");
    await send();
    await waitFor(() => expect(fakeServer.calls(refundPayin)).toHaveLength(4));
    const last = fakeServer.calls(refundPayin)[3];
    expect(last?.body).toEqual({ amount: 20_00 });
    expect(last?.headers.get("idempotency-key")).not.toBe(sent[0]?.headers.get("idempotency-key"));
  });

  it("without an answer outlives a reload, and gives way once it is refused for good or discarded", async () => {
    const send = async () => {
      await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
      await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    };
    const lostTitle = "A devolução de R$ 100,00 pode já ter sido feita";
    const keys = () => fakeServer.calls(refundPayin).map(({ headers }) => headers.get("idempotency-key"));
    fakeServer.on(refundPayin, () => refuse("internal"));
    const before = renderApp(home);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await send();
    await screen.findByText(lostTitle);
    before.unmount();

    const again = renderApp(home);
    await openRefund();
    screen.getByText(lostTitle);
    // Its field takes nothing, so the focus is where the next step is.
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Continuar" }));
    fakeServer.on(refundPayin, () => refuse("insufficient_balance"));
    await send();
    await waitFor(() => expect(screen.queryByText(lostTitle)).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "5");
    // A digit is no consent.
    expect(screen.queryByText(/Tem certeza/)).toBeNull();
    again.unmount();

    fakeServer.on(refundPayin, () => refuse("internal"));
    renderApp(home);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await send();
    await screen.findByText(lostTitle);
    await userEvent.click(screen.getByRole("button", { name: "Descartar" }));
    expect(isOff(screen.getByLabelText("Valor da devolução"))).toBe(false);
    await send();
    await waitFor(() => expect(keys()).toHaveLength(4));
    const [first, second, third, fourth] = keys();
    expect([second === first, third === second, fourth === third]).toEqual([true, false, false]);
  });

  it("that was refused may be sent with another amount", async () => {
    fakeServer.on(refundPayin, () => refuse("refund_above_refundable"));
    renderApp(home);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    await waitFor(() => expect(fakeServer.calls(refundPayin)).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    expect(isOff(screen.getByLabelText("Valor da devolução"))).toBe(false);
    expect(screen.queryByText(/pode já ter sido feita/)).toBeNull();
  });

  it("PAY-026 PAY-027 is offered to whoever may, of what can be given back", async () => {
    all = [
      buildPayin({ payer: { name: "Comum", tax_id: null } }),
      buildPayin({ payer: { name: "Retido", tax_id: null }, status: "blocked" }),
      buildPayin({ payer: { name: "Cobrado", tax_id: null }, status: "pending", refundable_amount: 0 }),
    ];
    const seen = async (session: object) => {
      const app = renderApp(home, { session });
      const buttons: (boolean | null)[] = [];
      for (const name of ["Comum", "Retido", "Cobrado"]) {
        const button = within(await rowOf(name)).queryByRole("button", { name: `Devolver a ${name}` });
        buttons.push(button ? !button.hasAttribute("aria-disabled") : null);
      }
      app.unmount();
      return buttons;
    };
    expect(await seen({})).toEqual([true, true, false]);
    expect(await seen({ permissions: ["platform_access"] })).toEqual([null, true, null]);
    expect(await seen({ profile: "analyst" })).toEqual([null, null, null]);
  });

  it("PAY-029 the tip is on a button that can be reached, and the details say why", async () => {
    all = [buildPayin({ refund_expires_at: "2024-01-01T00:00:00.000Z", refundable_amount: 0 })];
    const app = renderApp(home);
    const button = within(await rowOf("Bruno Sales")).getByRole("button", { name: "Devolver a Bruno Sales" });
    expect(button.title).toBe("Tempo para devolução excedido");
    button.focus();
    expect(document.activeElement).toBe(button);
    // It leads to the reason, and never to the refund.
    await userEvent.click(button);
    await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(screen.queryByRole("dialog", { name: "Devolver recebimento" })).toBeNull();
    app.unmount();
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("Não pode ser devolvido: tempo para devolução excedido.")).toBeTruthy();
    expect(isOff(dialog.getByRole("button", { name: "Devolver" }))).toBe(true);
  });

  it.each<[string, Partial<Payin>, RegExp]>([
    ["a TED", { payment_type: "ted" }, /^TED não tem devolução pela mesma via/],
    ["a boleto", { payment_type: "boleto" }, /^Boleto não tem devolução pela mesma via/],
    ["a denied sale", { payment_type: "credit_card", status: "unauthorized" }, /^A venda foi negada/],
    [
      "what the network rejected",
      { status: "rejected", rejected_at: "2026-11-11T13:00:00.000Z" },
      /^A instituição rejeitou/,
    ],
    ["what expired", { status: "expired", refund_expires_at: null }, /^A cobrança expirou sem ser paga/],
    ["what was given back", { status: "refunded", refunded_amount: 150_00 }, /já foi devolvido por inteiro/],
    [
      "what is on its way back",
      { status: "refunding", refunded_amount: 150_00 },
      /está a caminho do pagador/,
    ],
    [
      "what the network sent back",
      { rejected_at: "2026-11-11T13:00:00.000Z" },
      /já foi devolvido por inteiro/,
    ],
  ])("says of %s why it cannot be given back", (_, changes, sentence) => {
    expect(refundObstacle(buildPayin({ ...changes, refundable_amount: 0 }))).toMatch(sentence);
  });

  it("says nothing of what can be given back", () => expect(refundObstacle(one)).toBeUndefined());

  it("PAY-029 the tip says why", () => {
    const tip = (changes: Partial<Payin>) => refundTip(buildPayin(changes));
    expect(tip({ status: "pending" })).toBe("Cobrança ainda não foi recebida");
    expect(tip({ status: "canceled_by_psp" })).toBe("Cobrança cancelada");
    expect(tip({ refund_expires_at: "2024-01-01T00:00:00.000Z" })).toBe("Tempo para devolução excedido");
    expect(tip({})).toBe("Devolver");
  });
});

it("PAY-036 PAY-037 exports: waits for the link, saves the file, and asks before the page is left", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  let ready = false;
  fakeServer.on(requestPayinReport, () => ({ id: one.id }));
  fakeServer.on(readPayinReport, () => ({
    link: ready ? "/file" : null,
    filename: ready ? "Recebimentos.csv" : null,
  }));
  fakeServer.on(downloadPayinReport, () => "Data;Pagador");
  const saved = watchSavedFiles();
  renderApp(home, { features: [feature, placeholderScreens("BatchesPage")] });
  await rowOf("Bruno Sales");
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  expect(await screen.findByRole("button", { name: "Exportando..." })).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(fakeServer.calls(readPayinReport).length).toBe(2);
  await user.click(screen.getByRole("link", { name: /página inicial/ }));
  await user.click(await screen.findByRole("button", { name: "Esperar a planilha" }));
  ready = true;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(saved).toEqual(["Recebimentos.csv"]));
  await waitFor(() =>
    expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
  );
  expect(screen.getByRole("button", { name: "Exportar" })).toBeTruthy();
});

it("PAY-037 asks no more about leaving once the sheet is there, and the person stays", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  let ready = false;
  fakeServer.on(requestPayinReport, () => ({ id: one.id }));
  fakeServer.on(readPayinReport, () => ({
    link: ready ? "/file" : null,
    filename: ready ? "Recebimentos.csv" : null,
  }));
  fakeServer.on(downloadPayinReport, () => "Data;Pagador");
  const saved = watchSavedFiles();
  const app = renderApp(home, { features: [feature, placeholderScreens("BatchesPage")] });
  await rowOf("Bruno Sales");
  const leave = () => user.click(screen.getByRole("link", { name: /página inicial/ }));
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  await leave();
  await screen.findByRole("dialog", { name: "Sair sem a planilha?" });
  ready = true;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(saved).toEqual(["Recebimentos.csv"]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(app.address()).toBe(home);
  // The way is free again.
  await leave();
  await screen.findByRole("heading", { name: "BatchesPage", level: 1 });
});

describe("a payment of what was paid already", () => {
  it("is shown as such in the list and the details, and goes back by one click and its confirmation", async () => {
    all = [
      buildPayin({ paid_twice: true, payment_type: "pix_dynamic_qrcode" }),
      buildPayin({ payer: { name: "Olga Prado", tax_id: null } }),
    ];
    renderApp(home);
    expect(within(await rowOf("Bruno Sales")).getByText("Pago em dobro")).toBeTruthy();
    expect(within(await rowOf("Olga Prado")).queryByText("Pago em dobro")).toBeNull();
    await userEvent.click(await screen.findByRole("link", { name: "Bruno Sales" }));
    const dialog = await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(within(dialog).getByText(/chegou quando a cobrança já estava paga/)).toBeTruthy();
    const give = await within(dialog).findByRole("button", { name: /Devolver\sR\$\s150,00/ });
    await userEvent.click(give);
    expect(await screen.findByRole("dialog", { name: "Devolver recebimento" })).toBeTruthy();
  });

  it("offers nothing to who may not give back, and a boleto's payer is paid by transfer", async () => {
    all = [buildPayin({ paid_twice: true, payment_type: "boleto", refundable_amount: 0 })];
    renderApp(`${home}?recebimento=${all[0]?.id}`);
    const dialog = await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(await within(dialog).findByText(/combine com quem pagou e envie por transferência/)).toBeTruthy();
    expect(within(dialog).queryByRole("button", { name: /Devolver\sR\$/ })).toBeNull();
  });
});
