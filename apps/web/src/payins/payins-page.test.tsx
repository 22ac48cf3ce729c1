import { listReceivables, readReceivableTotals } from "@malote/contracts/card-receivables";
import {
  listPayinRefunds,
  listPayins,
  type Payin,
  readPayin,
  readPayinTotals,
} from "@malote/contracts/payins";
import { listPaymentLinks } from "@malote/contracts/payment-links";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import {
  buildPayin,
  noPayins,
  pageOfPayins,
  payinsHome,
  rowOf,
  servePayins,
  textOf,
} from "../testing/payins.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { currentMonth, daysOfMonth } from "../ui/format.ts";
import { payins as feature } from "./feature.ts";

const isOff = (element: Element) => element.hasAttribute("disabled");
const asked = () => fakeServer.calls(listPayins).map(({ query }) => query);
let all: Payin[];
let one: Payin;

beforeEach(() => {
  one = buildPayin();
  all = [one];
  servePayins(() => all);
});

describe("list", () => {
  it("PAY-002 PAY-005 PAY-010 PAY-017 SHL-029 opens from the area's own address, with totals, filters and columns", async () => {
    // Every moment and amount differs, so that swapped cells are noticed.
    one = buildPayin({
      created_at: "2026-11-09T13:00:00.000Z",
      received_amount: 149_00,
      refundable_amount: 148_00,
    });
    all = [one];
    const app = renderApp("/recebimentos", { features: [feature, placeholderScreens("NewPaymentLinkPage")] });
    const row = await rowOf("Bruno Sales");
    expect(app.address()).toBe(payinsHome);
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
    // Each value has the heading that phones show beside it.
    expect(within(row).getAllByRole("cell").map(textOf)).toEqual([
      "Data09/11/2026 10:00",
      "PagadorBruno Sales",
      "Documento***.982.247-**",
      "MétodoChave Pix",
      "ID PixE8888880…",
      "ValorR$ 150,00",
      "StatusRecebido",
      "Devolver",
    ]);
    expect(within(row).getByTitle(one.end_to_end_id ?? "")).toBeTruthy();
    const totals = screen.getByRole("region", { name: "Totais por status" });
    expect([...totals.children].map((card) => textOf(card))).toEqual([
      "RecebidoR$ 150,001 recebimento",
      "A receberR$ 90,001 recebimento",
      "PendenteR$ 30,003 recebimentos",
      "BloqueadoR$ 200,002 recebimentos",
      "DevolvidoR$ 40,004 recebimentos",
      "CanceladoR$ 50,005 recebimentos",
      "NegadoR$ 60,006 recebimentos",
      "ExpiradoR$ 349,901 recebimento",
    ]);
    expect(screen.getByRole("link", { name: "Criar link de pagamento" }).getAttribute("href")).toBe(
      "/recebimentos/links-de-pagamento/novo",
    );
    const { initialDate, endDate } = daysOfMonth(currentMonth());
    expect(asked()[0]).toMatchObject({
      created_at__gte: new Date(`${initialDate}T00:00:00-03:00`).toISOString(),
      created_at__lte: new Date(`${endDate}T23:59:59.999-03:00`).toISOString(),
      page: "0",
      page_size: "10",
    });
  });

  it("PAY-001 the area's address opens the receipts, and its children are the links, a new link and the card", async () => {
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
    // Another row above, which none of these clicks concerns.
    all = [buildPayin({ payer: { name: "Olga Prado", tax_id: null }, refundable_amount: 90_00 }), one];
    const app = renderApp(payinsHome);
    await userEvent.click(within(await rowOf("Bruno Sales")).getByText("Chave Pix"));
    await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(app.address()).toBe(`${payinsHome}?recebimento=${one.id}`);
    await userEvent.click(screen.getByRole("button", { name: "Fechar detalhes" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.click(await screen.findByRole("link", { name: "Bruno Sales" }));
    await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(app.address()).toBe(`${payinsHome}?recebimento=${one.id}`);
    await userEvent.click(screen.getByRole("button", { name: "Fechar detalhes" }));
    await userEvent.click(screen.getByRole("button", { name: "Devolver a Bruno Sales" }));
    const refund = within(await screen.findByRole("dialog", { name: "Devolver recebimento" }));
    refund.getByText("Você pode devolver até R$ 150,00");
  });

  it.each([
    ["the permission", { permissions: ["platform_access"] }],
    ["a profile that may create links", { profile: "analyst" as const }],
  ])("PAY-002 LNK-001 the link button needs %s", async (_, session) => {
    renderApp(payinsHome, { features: [feature, placeholderScreens("NewPaymentLinkPage")], session });
    await rowOf("Bruno Sales");
    expect(screen.queryByRole("link", { name: "Criar link de pagamento" })).toBeNull();
  });

  it("PAY-002 LNK-001 operators create links too", async () => {
    renderApp(payinsHome, {
      features: [feature, placeholderScreens("NewPaymentLinkPage")],
      session: { profile: "operator" },
    });
    await screen.findByRole("link", { name: "Criar link de pagamento" });
  });

  it("marks a payin that its payer contested", async () => {
    all = [buildPayin({ infraction_ids: ["0198f000-0000-7000-8000-0000000000f1"] })];
    renderApp(payinsHome);
    expect(textOf(await rowOf("Bruno Sales"))).toContain("Contestado");
  });

  it("PAY-003 PAY-016 filters by several statuses and methods, kept in the address", async () => {
    const app = renderApp(payinsHome);
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
    await waitFor(() => expect(app.address()).toBe(payinsHome));
  });

  it("PAY-007 shows nothing before 2024, and requests from its first day on", async () => {
    renderApp(`${payinsHome}?de=2020-01-01&ate=2023-12-31`);
    expect(await screen.findByText("Dados disponíveis a partir de Janeiro de 2024")).toBeTruthy();
    const totalsAsked = () => fakeServer.calls(readPayinTotals).map(({ query }) => query["created_at__gte"]);
    expect([asked(), totalsAsked()]).toEqual([[], []]);
    expect(isOff(screen.getByRole("button", { name: "Exportar" }))).toBe(true);
    renderApp(`${payinsHome}?de=2020-01-01&ate=2024-01-01`);
    await rowOf("Bruno Sales");
    expect(asked()[0]?.["created_at__gte"]).toBe("2024-01-01T03:00:00.000Z");
    await waitFor(() => expect(totalsAsked()).toEqual(["2024-01-01T03:00:00.000Z"]));
  });

  it("PAY-017 dims figures of other filters until the new ones arrive, and shows none before 2024", async () => {
    const app = renderApp(payinsHome);
    const received = await screen.findByText(/^R\$.150,00 recebidos em 1 recebimento$/);
    const totals = () => screen.getByRole("region", { name: "Totais por status" });
    expect([totals(), received].map((one) => one.hasAttribute("data-dim"))).toEqual([false, false]);
    fakeServer.keepWaiting(readPayinTotals);
    act(() => app.history.push(`${payinsHome}?status=received`));
    await waitFor(() => expect(totals().getAttribute("aria-busy")).toBe("true"));
    const dimmed = await screen.findByText(/150,00 recebidos/);
    expect([totals(), dimmed].map((one) => one.hasAttribute("data-dim"))).toEqual([true, true]);
    act(() => app.history.push(`${payinsHome}?de=2020-01-01&ate=2023-12-31`));
    await screen.findByText("Escolha um período que termine em 1º de janeiro de 2024 ou depois.");
    expect(screen.queryByText(/recebidos em/)).toBeNull();
  });

  it("PAY-008 PAY-019 reports what could not be read", async () => {
    fakeServer.on(listPayins, () => refuse("internal"));
    fakeServer.on(readPayinTotals, () => refuse("internal"));
    renderApp(payinsHome);
    expect(await screen.findByText("Ocorreu um erro ao buscar os recebimentos")).toBeTruthy();
    expect(await screen.findByText("Ocorreu um erro ao buscar os totalizadores")).toBeTruthy();
  });

  it("PAY-009 shows neither details nor refunds with the flag", async () => {
    // Loads the dialog in advance, so that its absence is proven.
    await import("./payin-dialog.tsx");
    renderApp(`${payinsHome}?recebimento=${one.id}`, {
      session: { feature_flags: ["payin-simplified-version"] },
    });
    const row = within((await screen.findByText("***.982.247-**")).closest("tr") as HTMLElement);
    row.getByText("R$ 150,00");
    expect(textOf(row.getByTitle(one.end_to_end_id ?? ""))).toContain("E8888880…");
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
      "Documento",
      "Valor",
      "ID Pix",
    ]);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(fakeServer.calls(readPayin)).toEqual([]);
    expect(screen.queryByRole("button", { name: /Devolver/ })).toBeNull();
  });

  it("PAY-012 PAY-013 PAY-015 names each status, and polls every 5 s while a refund is pending", async () => {
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
    renderApp(payinsHome);
    for (const [status, name, color] of shown) {
      const pill = within(await rowOf(`Situação ${status}`)).getByText(name);
      expect([status, pill.getAttribute("data-color")]).toEqual([status, color]);
    }
    const before = asked().length;
    await act(() => vi.advanceTimersByTimeAsync(4_500));
    expect(asked().length).toBe(before);
    // Each of the two pending statuses starts the polling; any other does not.
    const ahead = async (ms: number, next: Payin[], looks: number) => {
      all = next;
      await act(() => vi.advanceTimersByTimeAsync(ms));
      // Checked at once, because waiting here would accept a longer interval too.
      expect(asked().length).toBe(before + looks);
    };
    await ahead(700, [buildPayin({ status: "rejected" })], 1);
    await ahead(5_000, [buildPayin({ status: "refunding" })], 2);
    await ahead(5_000, [one], 3);
    await ahead(11_000, [one], 3);
  });
});

it("SES-070 shows above the list that it could not be read again, and resumes polling on demand", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  all = [{ ...one, status: "refunding" }];
  renderApp(payinsHome);
  expect(textOf(await rowOf("Bruno Sales"))).toContain("Processando");
  fakeServer.on(listPayins, () => refuse("internal"));
  await act(() => vi.advanceTimersByTimeAsync(5_100));
  await screen.findByText("Ocorreu um erro ao buscar os recebimentos");
  expect(textOf(await rowOf("Bruno Sales"))).toContain("Processando");
  all = [{ ...one, status: "refunded", refundable_amount: 0 }];
  fakeServer.on(listPayins, () => pageOfPayins(all));
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
  renderApp(`${payinsHome}?recebimento=${one.id}`);
  const dialog = within(await screen.findByRole("dialog"));
  // The status of the payin, and that of its refund.
  await waitFor(() => expect(dialog.queryAllByText("Processando")).toHaveLength(2));
  const totals = fakeServer.calls(readPayinTotals).length;
  await act(() => vi.advanceTimersByTimeAsync(5_100));
  expect(fakeServer.calls(readPayinTotals)).toHaveLength(totals);
  // SES-070: an error stops the polling and is shown; the person starts it again.
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

it("figures that could not be read can be requested again", async () => {
  fakeServer.on(readPayinTotals, () => refuse("internal"));
  renderApp(payinsHome);
  await screen.findByText("Os totais não puderam ser lidos");
  fakeServer.on(readPayinTotals, () => ({
    pending: noPayins,
    authorized: noPayins,
    received: { total_amount: 77_00, count: 1 },
    refunded: noPayins,
    blocked: noPayins,
    canceled: noPayins,
    unauthorized: noPayins,
    expired: noPayins,
  }));
  await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
  const totals = await screen.findByRole("region", { name: "Totais por status" });
  expect(textOf(totals)).toContain("77,00");
});
