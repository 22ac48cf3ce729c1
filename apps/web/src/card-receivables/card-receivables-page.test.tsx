import {
  downloadReceivableReport,
  listReceivables,
  type Receivable,
  readReceivableReport,
  readReceivableTotals,
  requestReceivableReport,
} from "@malote/contracts/card-receivables";
import { createCheckpoint } from "@malote/contracts/company";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { currentMonth, daysOfMonth, todayIn } from "../ui/format.ts";
import { noteSystemTime } from "../ui/system-time.ts";
import { cardReceivables as feature } from "./feature.ts";

const textOf = (element: Element | null) => (element?.textContent ?? "").replaceAll("\u00a0", " ");
const home = "/recebimentos/cartao-de-credito";
const withFlag = {
  session: { feature_flags: ["card-charge"] },
  features: [feature, placeholderScreens("BatchesPage")],
};

const receivable = (n: number, changes: Partial<Receivable>): Receivable => ({
  id: `01990000-0000-7000-8000-${String(n).padStart(12, "0")}`,
  status: "scheduled",
  transaction: { date: "2026-10-05T13:00:00.000Z", installments: 3, installment: n },
  receive_date: null,
  expected_receive_date: "2026-11-04",
  authorization_code: `00000${n}`,
  gross_amount: 100_00,
  net_amount: 96_01,
  ...changes,
});

beforeEach(() => {
  fakeServer.on(listReceivables, () => ({
    items: [
      receivable(1, { status: "received", receive_date: "2026-11-05" }),
      receivable(2, {}),
      receivable(3, { status: "canceled", expected_receive_date: null }),
      receivable(4, { status: "refunded" }),
    ],
    metadata: { pagination: { itemsPerPage: 10, totalItems: 25 } },
  }));
  const total = (total_amount: number) => ({ total_amount });
  fakeServer.on(readReceivableTotals, () => ({
    scheduled: total(96_01),
    received: total(77_00),
    canceled: total(5_00),
    refunded: total(8_00),
  }));
});

const open = (hasCardCharge = true, app: Parameters<typeof renderApp>[1] = withFlag) =>
  renderApp(home, { ...app, settings: { hasCardCharge } });

it("CRD-001 SHL-029 opens with the setting and the flag, and leads home without either", async () => {
  // Provides the pages that redirects end at, so that an address of '/' means a failed redirect.
  const features = [feature, placeholderScreens("HomePage", "ReceivablesPage", "BatchesPage")];
  const off = open(true, { features, session: {} });
  await screen.findByRole("heading", { name: "BatchesPage", level: 1 });
  expect(off.address()).toBe("/pagamentos/lotes");
  expect(screen.queryByRole("link", { name: "Cartão de crédito" })).toBeNull();
  off.unmount();
  const unset = open(false, { ...withFlag, features });
  await screen.findByRole("heading", { name: "BatchesPage", level: 1 });
  expect(unset.address()).toBe("/pagamentos/lotes");
  unset.unmount();
  open();
  await screen.findByRole("heading", { name: "Cartão de crédito", level: 1 });
  const menu = screen.getByRole("navigation", { name: "Recebimentos" });
  expect(within(menu).getByRole("link", { name: "Cartão de crédito" })).toBeTruthy();
});

it("CRD-002 CRD-003 CRD-004 CRD-007 CRD-008 shows totals, columns and statuses, filtered from the address", async () => {
  const app = open();
  const row = async (code: string) => (await screen.findByText(code)).closest("tr") as HTMLElement;
  expect(textOf(await row("000001"))).toContain("05/11/2026");
  expect(textOf(await row("000001"))).toContain("Recebido");
  expect(textOf(await row("000002"))).toContain("04/11/2026");
  expect(textOf(await row("000002"))).toContain("A receber");
  // Each value has the heading that phones show beside it.
  const cells = within(await row("000002")).getAllByRole("cell");
  expect(cells.map((cell) => textOf(cell))).toEqual([
    "Data da transação05/10/2026 10:00",
    "Código de autorização000002",
    "Parcelas2 de 3",
    "Valor brutoR$ 100,00",
    "Valor líquidoR$ 96,01",
    "Data de recebimento04/11/2026",
    "StatusA receber",
  ]);
  expect(textOf(await row("000003"))).toContain("---");
  expect(textOf(await row("000003"))).toContain("Cancelado");
  expect(textOf(await row("000004"))).toContain("Devolvido");
  const colorOf = async (code: string, status: string) =>
    within(await row(code))
      .getByText(status)
      .closest("[data-color]")
      ?.getAttribute("data-color");
  expect(await colorOf("000001", "Recebido")).toBe("green");
  expect(await colorOf("000002", "A receber")).toBe("yellow");
  expect(await colorOf("000003", "Cancelado")).toBe("grey");
  expect(await colorOf("000004", "Devolvido")).toBe("red");
  expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Data da transação",
    "Código de autorização",
    "Parcelas",
    "Valor bruto",
    "Valor líquido",
    "Data de recebimento",
    "Status",
  ]);
  const totals = screen.getByRole("region", { name: "Totais por status" });
  await within(totals).findByText(/77,00/);
  expect([...totals.children].map(textOf)).toEqual([
    "A receberR$ 96,01",
    "RecebidoR$ 77,00",
    "CanceladoR$ 5,00",
    "DevolvidoR$ 8,00",
  ]);
  const asked = () => fakeServer.calls(listReceivables).map(({ query }) => query);
  const { initialDate, endDate } = daysOfMonth(currentMonth());
  expect(asked()[0]).toMatchObject({
    receive_date__gte: initialDate,
    receive_date__lte: endDate,
    page: "0",
    page_size: "10",
  });
  await userEvent.click(screen.getByRole("button", { name: /^Status:/ }));
  expect(screen.getAllByRole("checkbox").map((box) => box.getAttribute("aria-label"))).toEqual([
    "A receber",
    "Recebido",
    "Cancelado",
  ]);
  await userEvent.click(screen.getByRole("checkbox", { name: "Recebido" }));
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ status__in: "received" }));
  await userEvent.click(screen.getByRole("button", { name: "Página 2" }));
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ page: "1" }));
  expect(app.address()).toContain("status=received&pagina=2");
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Página 2" }).getAttribute("aria-current")).toBe("page"),
  );
  await userEvent.click(screen.getByRole("button", { name: "Página 3" }));
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ page: "2", status__in: "received" }));
  await userEvent.type(screen.getByRole("searchbox", { name: "Código de autorização ou valor" }), "000001");
  await waitFor(() =>
    expect([listReceivables, readReceivableTotals].map((of) => fakeServer.calls(of).at(-1)?.query)).toEqual([
      expect.objectContaining({ search: "000001", status__in: "received", page: "0" }),
      expect.objectContaining({ search: "000001", status__in: "received" }),
    ]),
  );
});

it("CRD-002 CRD-003 opens on the current month, and requests the chosen days", async () => {
  noteSystemTime("2028-03-01T02:59:00Z");
  onTestFinished(() => noteSystemTime(new Date().toISOString()));
  const app = open();
  await screen.findByText("000001");
  const days = () =>
    [listReceivables, readReceivableTotals].map((of) => {
      const { receive_date__gte: from, receive_date__lte: until } = fakeServer.calls(of).at(-1)?.query ?? {};
      return [from, until];
    });
  // Still February in São Paulo.
  expect(days()).toEqual(Array(2).fill(["2028-02-01", "2028-02-29"]));
  const range = within(screen.getByRole("group", { name: "Data de recebimento" }));
  const shown = () => range.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value);
  expect(shown()).toEqual(["01/02/2028", "29/02/2028"]);
  await userEvent.clear(range.getByLabelText("De"));
  await userEvent.type(range.getByLabelText("De"), "20/02/2028");
  await waitFor(() => expect(days()).toEqual(Array(2).fill(["2028-02-20", "2028-02-29"])));
  expect(app.address()).toContain("de=2028-02-20");
  await userEvent.clear(range.getByLabelText("Até"));
  await userEvent.type(range.getByLabelText("Até"), "25/02/2028");
  await waitFor(() => expect(days()).toEqual(Array(2).fill(["2028-02-20", "2028-02-25"])));
  expect(app.address()).toContain("de=2028-02-20&ate=2028-02-25");
  expect(shown()).toEqual(["20/02/2028", "25/02/2028"]);
});

it.each([
  ["CRD-004", "the list", "/app/receivables"],
  ["CRD-005", "the totals", "/app/receivables_summary"],
])("%s requests each chosen status, as a repeated parameter of %s", async (_number, _what, path) => {
  const fetched = vi.spyOn(globalThis, "fetch");
  renderApp(`${home}?status=received,canceled`, { ...withFlag, settings: { hasCardCharge: true } });
  await screen.findByText("000001");
  const asked = fetched.mock.calls
    .map(([address]) => new URL(String(address), "http://malote.test"))
    .filter(({ pathname }) => pathname.endsWith(path));
  expect(asked.map(({ searchParams }) => searchParams.getAll("status__in"))).toEqual([
    ["received", "canceled"],
  ]);
});

it("links from a month without receivables to the coming ones", async () => {
  const app = open();
  fakeServer.on(listReceivables, () => ({
    items: [],
    metadata: { pagination: { itemsPerPage: 10, totalItems: 0 } },
  }));
  await userEvent.click(await screen.findByRole("button", { name: "Ver os próximos recebíveis" }));
  const today = todayIn();
  const inTwoYears = `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`;
  await waitFor(() => expect(app.address()).toContain(`de=${today}&ate=${inTwoYears}`));
});

it("an address beyond the last page opens the last one, and failed totals can be requested again", async () => {
  fakeServer.on(readReceivableTotals, () => refuse("internal"));
  const app = renderApp(`${home}?pagina=9`, { ...withFlag, settings: { hasCardCharge: true } });
  await screen.findByText("Os totais não puderam ser lidos");
  await waitFor(() => expect(app.address()).toBe(`${home}?pagina=3`));
  const none = { total_amount: 0 };
  fakeServer.on(readReceivableTotals, () => ({
    scheduled: none,
    received: none,
    canceled: none,
    refunded: none,
  }));
  await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
  await screen.findByRole("region", { name: "Totais por status" });
});

it("CRD-002 dims figures of other filters until the new ones arrive", async () => {
  const app = open();
  const count = await screen.findByText("25 recebíveis");
  const totals = await screen.findByRole("region", { name: "Totais por status" });
  await within(totals).findByText(/96,01/);
  expect([totals, count].map((one) => one.hasAttribute("data-dim"))).toEqual([false, false]);
  fakeServer.keepWaiting(readReceivableTotals);
  fakeServer.keepWaiting(listReceivables);
  act(() => app.history.push(`${home}?status=received`));
  await waitFor(() =>
    expect([totals, count].map((one) => one.hasAttribute("data-dim"))).toEqual([true, true]),
  );
});

it("CRD-009 reports that the list could not be read", async () => {
  fakeServer.on(listReceivables, () => refuse("internal"));
  open();
  expect(await screen.findByText("Ocorreu um erro ao buscar os recebíveis")).toBeTruthy();
});

it("CRD-010 exports what the filters find: waits for the link, and saves the file", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const id = "01990000-0000-7000-8000-0000000000aa";
  let ready = false;
  fakeServer.on(requestReceivableReport, () => ({ id }));
  fakeServer.on(readReceivableReport, ({ params }) => ({
    link: ready && params["id"] === id ? "/file" : null,
    filename: ready ? "Recebíveis.csv" : null,
  }));
  fakeServer.on(downloadReceivableReport, () => "Data;Código");
  const saved = watchSavedFiles();
  const search = "?busca=000001&de=2026-10-01&ate=2026-10-31&status=received,canceled";
  renderApp(`${home}${search}`, { ...withFlag, settings: { hasCardCharge: true } });
  await screen.findByText("000001");
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  await screen.findByRole("button", { name: "Exportando..." });
  expect(fakeServer.calls(requestReceivableReport).map(({ body }) => body)).toEqual([
    {
      search: "000001",
      receive_date__gte: "2026-10-01",
      receive_date__lte: "2026-10-31",
      status__in: ["received", "canceled"],
    },
  ]);
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(fakeServer.calls(readReceivableReport)).toHaveLength(2);
  expect(saved).toEqual([]);
  ready = true;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(saved).toEqual(["Recebíveis.csv"]));
  await waitFor(() =>
    expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
  );
  expect(fakeServer.calls(downloadReceivableReport).map(({ params }) => params)).toEqual([{ id }]);
  await screen.findByRole("button", { name: "Exportar" });
});

it("CRD-010 asks before the page is left while the sheet is made, and not once it is ready", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const id = "01990000-0000-7000-8000-0000000000ab";
  let ready = false;
  fakeServer.on(requestReceivableReport, () => ({ id }));
  fakeServer.on(readReceivableReport, () => ({
    link: ready ? "/file" : null,
    filename: ready ? "Recebíveis.csv" : null,
  }));
  fakeServer.on(downloadReceivableReport, () => "Data;Código");
  const saved = watchSavedFiles();
  const app = open();
  await screen.findByText("000001");
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  await screen.findByRole("button", { name: "Exportando..." });
  await user.click(screen.getByRole("link", { name: /página inicial/ }));
  const question = await screen.findByRole("dialog", { name: "Sair sem a planilha?" });
  await user.click(within(question).getByRole("button", { name: "Esperar a planilha" }));
  expect(app.address()).toBe(home);
  ready = true;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(saved).toEqual(["Recebíveis.csv"]));
  await user.click(screen.getByRole("link", { name: /página inicial/ }));
  await screen.findByRole("heading", { name: "BatchesPage", level: 1 });
});
