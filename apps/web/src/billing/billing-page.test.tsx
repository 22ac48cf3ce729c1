import {
  downloadMonthlyReport,
  type Invoice,
  listInvoices,
  readHasOverdue,
  readHasPayRequest,
  requestMonthlyReport,
} from "@malote/contracts/billing";
import { createCheckpoint, readCompany, readCompanySettings } from "@malote/contracts/company";
import { readBrand } from "@malote/contracts/session";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { company } from "../company/feature.ts";
import { data as companyData } from "../testing/company.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { billing } from "./feature.ts";

const address = "/minha-empresa/faturas";
const own = new Set(company.pages.map(({ name }) => name));
const others = (["AdminUsersPage", "AdminLimitsPage"] as const).filter((name) => !own.has(name));
const features = [company, billing, placeholderScreens("BatchesPage", ...others)];

const invoiceOf = (month: string, changes: Partial<Invoice> = {}): Invoice => ({
  id: `0198f000-0000-7000-8000-0000${month.replace("-", "")}0000`.padEnd(36, "0").slice(0, 36),
  billing_period_start: `${month}-01`,
  amount_of_transfers: 1_240,
  total: 607_60,
  status: "open",
  due_date: "2026-11-10",
  electronic_invoice_url: `/nota/${month}`,
  ticket_url: `/boleto/${month}`,
  has_report: true,
  ...changes,
});

/** Opens the address, once the company is known to show its finance info. */
async function open(invoices: readonly Invoice[], at = address, supportUrl: string | null = null) {
  fakeServer.byDefault(readHasOverdue, () => ({ data: false }));
  fakeServer.byDefault(readHasPayRequest, () => ({ data: false }));
  fakeServer.byDefault(listInvoices, () => ({ data: [...invoices] }));
  const app = renderApp("/acesso-negado", { features });
  if (supportUrl) fakeServer.on(readBrand, () => ({ ...brand, supportUrl }));
  fakeServer.on(readCompanySettings, () => ({ ...buildCompanySettings(), showFinanceInfo: true }));
  await app.router.navigate({ href: at });
  await screen.findByRole("heading", { name: "Minha empresa", level: 1 });
  return app;
}
const brand = {
  id: "malote" as const,
  assetsPath: "/",
  name: "Malote",
  showStatusMenu: false,
  loginUrl: "/entrar",
  appUrl: "",
  statusUrl: null,
  supportUrl: null,
  supportChatUrl: null,
  twoFactorNotice: null,
  tokenCookie: "malote_token",
  reportsErrors: false,
  blogUrl: null,
  privacyUrl: null,
  notice: null,
  sandbox: true,
};
const rowOf = async (month: string) => {
  const cell = await screen.findByText(month);
  const row = cell.closest("tr");
  if (!row) throw new Error(`${month} is in no row`);
  return within(row);
};

describe("Faturas", () => {
  it("COM-004 redirects to the company data when finance info is hidden", async () => {
    const app = renderApp("/acesso-negado", { features });
    fakeServer.on(readCompanySettings, () => ({ ...buildCompanySettings(), showFinanceInfo: false }));
    fakeServer.on(readCompany, () => companyData);
    await app.router.navigate({ href: address });
    await screen.findByLabelText("CNPJ");
    expect(app.address()).toBe("/minha-empresa/dados-da-empresa");
    expect(fakeServer.calls(listInvoices)).toEqual([]);
  });

  it("COM-026 shows the columns of an invoice, in the order of the answer, newest first", async () => {
    await open([invoiceOf("2026-10"), invoiceOf("2026-09", { status: "paid" })]);
    const table = await screen.findByRole("table", { name: "Faturas" });
    const headings = within(table)
      .getAllByRole("columnheader")
      .map((heading) => heading.textContent);
    expect(headings).toEqual([
      "Competência",
      "Quantidade",
      "Valor",
      "Status do pagamento",
      "Relatório",
      "Nota Fiscal",
      "Boleto",
    ]);
    // On phones each value has its heading beside it.
    const cells = within(table)
      .getAllByRole("row")
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole("cell")
          .map(({ textContent }, at) => textContent?.slice(headings[at]?.length).replace("\u00a0", " ")),
      );
    expect(cells).toEqual([
      ["10/2026", "1.240", "R$ 607,60", "Em abertovence em 10/11/2026", "Gerar", "Abrir", "Baixar"],
      ["09/2026", "1.240", "R$ 607,60", "Paga", "Gerar", "Abrir", "Baixarfatura paga"],
    ]);
    // COM-029: only a company without invoices sees the example.
    expect(screen.getAllByRole("table")).toEqual([table]);
    expect(screen.queryByText(/só um exemplo/)).toBeNull();
  });

  it.each([
    ["paid", "Paga", "blue"],
    ["open", "Em aberto", "yellow"],
    ["overdue", "Em atraso", "red"],
    ["protested", "Em atraso", "red"],
  ] as const)("COM-028 %s is '%s' in %s", async (status, name, color) => {
    await open([invoiceOf("2026-10", { status })]);
    const pill = (await rowOf("10/2026")).getByText(name);
    expect(pill.closest("[data-color]")?.getAttribute("data-color")).toBe(color);
  });

  it("COM-029 shows one row marked as an example, and whom to ask, when there are no invoices", async () => {
    await open([]);
    const table = await screen.findByRole("table", { name: "Exemplo de fatura" });
    expect(within(table).getAllByRole("row")).toHaveLength(2);
    within(table).getByText("Exemplo");
    screen.getByText(/só um exemplo: nada foi cobrado/);
    expect(within(table).queryByRole("button")).toBeNull();
    expect(within(table).queryByRole("link")).toBeNull();
    const help = screen.getByText(/Dúvidas sobre uma fatura/);
    expect(table.compareDocumentPosition(help)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("COM-029 links to the support of the brand", async () => {
    await open([invoiceOf("2026-10")], address, "https://ajuda.example/");
    const link = await screen.findByRole("link", { name: "Fale com o suporte" });
    expect(link.getAttribute("href")).toBe("https://ajuda.example/");
    const table = screen.getByRole("table", { name: "Faturas" });
    expect(table.compareDocumentPosition(link)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("COM-030 offers the boleto of a due invoice only", async () => {
    await open([
      invoiceOf("2026-10"),
      invoiceOf("2026-09", { status: "paid" }),
      invoiceOf("2026-08", { status: "overdue", ticket_url: null }),
      invoiceOf("2026-07", { status: "overdue" }),
      invoiceOf("2026-06", { status: "protested" }),
    ]);
    const link = (await rowOf("10/2026")).getByRole("link", { name: "Baixar o boleto de 10/2026" });
    expect(link.getAttribute("href")).toBe("/boleto/2026-10");
    for (const late of ["07", "06"])
      expect(
        (await rowOf(`${late}/2026`))
          .getByRole("link", { name: `Baixar o boleto de ${late}/2026` })
          .getAttribute("href"),
      ).toBe(`/boleto/2026-${late}`);
    const paid = (await rowOf("09/2026")).getByRole<HTMLButtonElement>("button", {
      name: "Baixar o boleto de 09/2026: fatura paga",
    });
    expect(paid.disabled).toBe(true);
    (await rowOf("09/2026")).getByText("fatura paga");
    (await rowOf("08/2026")).getByText("ainda não emitido");
    const missing = (await rowOf("08/2026")).getByRole<HTMLButtonElement>("button", {
      name: "Baixar o boleto de 08/2026: ainda não emitido",
    });
    expect(missing.disabled).toBe(true);
  });

  it("COM-031 links to the fiscal document, which may be missing", async () => {
    await open([
      invoiceOf("2026-10", { status: "paid" }),
      invoiceOf("2026-09", { electronic_invoice_url: null }),
      invoiceOf("2026-08", { ticket_url: null }),
    ]);
    for (const month of ["10", "08"]) {
      const link = (await rowOf(`${month}/2026`)).getByRole("link", {
        name: `Abrir a nota fiscal de ${month}/2026`,
      });
      expect(link.getAttribute("href")).toBe(`/nota/2026-${month}`);
    }
    const missing = (await rowOf("09/2026")).getByRole<HTMLButtonElement>("button", {
      name: "Abrir a nota fiscal de 09/2026: ainda não emitida",
    });
    expect(missing.disabled).toBe(true);
  });

  it("COM-032 requests the report of the month, and announces an e-mail for 10 seconds", async () => {
    fakeServer.on(requestMonthlyReport, () => ({ ok: true as const }));
    await open([invoiceOf("2026-11"), invoiceOf("2026-10")]);
    const make = (await rowOf("10/2026")).getByRole("button", { name: "Gerar relatório de 10/2026" });
    vi.useFakeTimers();
    const said = () => screen.queryByText("Seu relatório está sendo gerado. Você vai recebê-lo por e-mail.");
    try {
      fireEvent.click(make);
      for (let turn = 0; turn < 50 && !said(); turn++) await act(() => vi.advanceTimersByTimeAsync(0));
      await act(() => vi.advanceTimersByTimeAsync(9_900));
      expect(said()).not.toBeNull();
      await act(() => vi.advanceTimersByTimeAsync(100));
      expect(said()).toBeNull();
    } finally {
      vi.useRealTimers();
    }
    expect(fakeServer.calls(requestMonthlyReport).map(({ query }) => query)).toEqual([
      { date: "2026-10-01" },
    ]);
  });

  it("COM-032 shows why there is no report", async () => {
    const user = userEvent.setup();
    fakeServer.on(requestMonthlyReport, () => refuse("invoice_uncounted"));
    await open([invoiceOf("2026-10")]);
    await user.click((await rowOf("10/2026")).getByRole("button", { name: "Gerar relatório de 10/2026" }));
    await screen.findByText(/Os pagamentos desta fatura não estão guardados aqui/);
  });

  it("COM-032 offers no report of an invoice whose payments are unknown here, and explains why", async () => {
    await open([invoiceOf("2026-10", { has_report: false })], address, "/suporte");
    const row = await rowOf("10/2026");
    row.getByText("Pagamentos não guardados aqui.");
    expect(row.queryByRole("button", { name: /Gerar relatório/ })).toBeNull();
    const link = await row.findByRole("link", { name: "Pedir ao suporte o relatório de 10/2026" });
    expect(link.getAttribute("href")).toBe("/suporte");
  });

  it("COM-032 FST-024 the link of the e-mail offers the file, and is removed from the address on closing", async () => {
    const user = userEvent.setup();
    const saved = watchSavedFiles();
    const asked: unknown[] = [];
    fakeServer.on(downloadMonthlyReport, ({ query }) => {
      asked.push(query);
      return "Lote;Nome";
    });
    const app = await open([invoiceOf("2026-10")], `${address}?relatorio=2026-10-01`);
    await screen.findByText("Relatório de outubro de 2026");
    await user.click(screen.getByRole("button", { name: "Baixar relatório" }));
    await waitFor(() => expect(saved).toEqual(["pagamentos-2026-10.csv"]));
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
    );
    expect(asked).toEqual([{ date: "2026-10-01" }]);
    await user.click(screen.getByRole("button", { name: "Fechar" }));
    await waitFor(() => expect(app.address()).toBe(address));
    expect(screen.queryByText("Relatório de outubro de 2026")).toBeNull();
  });

  it("offers no file for a day that is not the first of a month", async () => {
    await open([invoiceOf("2026-10")], `${address}?relatorio=2026-10-07`);
    await rowOf("10/2026");
    expect(screen.queryByRole("button", { name: "Baixar relatório" })).toBeNull();
  });

  it("reports that the invoices could not be loaded, and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(listInvoices, () => refuse("internal"));
    await open([]);
    await screen.findByText("Não foi possível carregar as faturas");
    fakeServer.on(listInvoices, () => ({ data: [invoiceOf("2026-10")] }));
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await rowOf("10/2026");
  });
});
