import {
  downloadMonthlyReport,
  listInvoices,
  readHasOverdue,
  readHasPayRequest,
  readPayRequest,
  requestMonthlyReport,
} from "@malote/contracts/billing";
import { readCheckpoint } from "@malote/contracts/company";
import { announceInvoice, listSimulatedInvoices, readInvoiceDocument } from "@malote/contracts/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { billingCalls, fails, price } from "../testing/billing-kit.ts";
import { setCompany } from "../testing/operator-kit.ts";
import { auroraId, closing, draft, openPayments, type PaymentsKit, pix } from "../testing/payments-kit.ts";

const [, horizonte] = demoCompanies;
let kit: PaymentsKit;
beforeEach(async () => {
  // The start is a Friday; the month ends on Monday.
  kit = await openPayments({ start: "2026-08-28T13:00:00Z" });
  await kit.services.db.pool.query("TRUNCATE invoices, invoiced_transfers, billing_accounts");
});
afterEach(() => kit.close());

const { turn, history, months, at, payAt } = billingCalls(() => kit);

const showFinance = (showFinanceInfo: boolean) => setCompany(kit.services, auroraId, { showFinanceInfo });
/** A closed invoice for August, due on 10 September. */
async function oneInvoice(): Promise<{ id: string }> {
  await turn();
  await payAt("2026-08-31T21:00:00Z");
  await at("2026-09-01T12:00:00Z");
  const [invoice] = await history();
  return invoice;
}
const announce = (id: string, kind: "issued" | "paid" | "protested") =>
  kit.call(announceInvoice, { params: { id }, body: { kind } });

describe("reading invoices", () => {
  const calls = [listInvoices, readHasPayRequest, readPayRequest, readHasOverdue];

  it("COM-002 COM-033 allows only an admin", async () => {
    for (const contract of [...calls, requestMonthlyReport, downloadMonthlyReport]) {
      const query = contract.id.endsWith("Report") ? { date: "2026-08-01" } : {};
      expect((await kit.call(contract, { query })).status).toBe(401);
      expect((await kit.operator.call(contract, { query })).status).toBe(403);
      expect((await kit.analyst.call(contract, { query })).status).toBe(403);
    }
  });

  it("COM-003 allows an admin in either application", async () => {
    const elsewhere = await kit.as("helena@aurora.example", "validation");
    for (const contract of calls) expect((await elsewhere.call(contract)).status).toBe(200);
    // The report names every receiver of a month, so it belongs to the payments application.
    for (const contract of [requestMonthlyReport, downloadMonthlyReport])
      expect((await elsewhere.call(contract, { query: { date: "2026-08-01" } })).status).toBe(403);
  });

  it("COM-004 refuses all people of a company that does not show invoices, and gives it nothing to pay", async () => {
    await oneInvoice();
    expect((await kit.admin.call(readHasPayRequest)).body.data).toBe(true);
    await showFinance(false);
    expect(await kit.admin.call(listInvoices)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    const query = { date: "2026-08-01" };
    expect((await kit.admin.call(requestMonthlyReport, { query })).status).toBe(403);
    expect((await kit.admin.call(downloadMonthlyReport, { query })).status).toBe(403);
    expect((await kit.admin.call(readHasPayRequest)).body.data).toBe(false);
    expect((await kit.admin.call(readPayRequest)).body.data).toBeNull();
    await kit.passUntil("2026-10-01T12:00:00Z");
    expect((await kit.admin.call(readHasOverdue)).body.data).toBe(false);
  });

  it("allows only the company that is charged", async () => {
    await oneInvoice();
    expect(await history(kit.stranger)).toEqual([]);
    const query = { date: "2026-08-01" };
    expect((await kit.stranger.call(requestMonthlyReport, { query })).status).toBe(404);
    expect((await kit.stranger.call(downloadMonthlyReport, { query })).status).toBe(404);
  });
});

describe("an invoice", () => {
  it("COM-028 COM-033 is open until its due date and overdue after it, by the clock", async () => {
    const { id } = await oneInvoice();
    const state = async () => [
      (await history())[0].status,
      (await kit.admin.call(readHasPayRequest)).body.data,
      (await kit.admin.call(readPayRequest)).body.data?.id,
      (await kit.admin.call(readHasOverdue)).body.data,
    ];
    await kit.passUntil("2026-09-11T02:59:59Z");
    expect(await state()).toEqual(["open", true, id, false]);
    await kit.passUntil("2026-09-11T03:00:00Z");
    expect(await state()).toEqual(["overdue", true, id, true]);
    expect((await announce(id, "protested")).status).toBe(200);
    expect(await state()).toEqual(["protested", true, id, true]);
    expect((await announce(id, "paid")).status).toBe(200);
    expect(await state()).toEqual(["paid", false, undefined, false]);
  });

  it("COM-033 is presented in the order of due dates", async () => {
    const { id } = await oneInvoice();
    await payAt("2026-09-15T12:00:00Z");
    await at("2026-10-01T12:00:00Z");
    expect((await kit.admin.call(readPayRequest)).body.data).toMatchObject({ id, status: "overdue" });
    await announce(id, "paid");
    expect((await kit.admin.call(readPayRequest)).body.data).toMatchObject({
      billing_period_start: "2026-09-01",
      status: "open",
    });
    expect((await kit.admin.call(readHasOverdue)).body.data).toBe(false);
  });

  it("gets its documents, its payment and, if it is late, a protest from the operator's system", async () => {
    const { id } = await oneInvoice();
    expect((await announce("01990000-0000-7000-8000-00000000ffff", "paid")).status).toBe(404);
    expect(await announce(id, "protested")).toMatchObject({
      status: 422,
      body: { code: "invoice_not_overdue" },
    });
    expect((await announce(id, "issued")).status).toBe(200);
    const [invoice] = await history();
    for (const [url, title] of [
      [invoice.ticket_url, "Boleto de teste"],
      [invoice.electronic_invoice_url, "Nota fiscal de teste"],
    ] as const) {
      const document = await kit.send("GET", url);
      expect([document.status, document.body.split("\n")[0]]).toEqual([200, title]);
      expect(document.body).toContain("R$ 0,49");
    }
    await announce(id, "paid");
    expect(await announce(id, "protested")).toMatchObject({ status: 409, body: { code: "invoice_paid" } });
    const { data } = (await kit.call(listSimulatedInvoices)).body;
    expect(data).toMatchObject([{ id, company: { id: auroraId }, status: "paid", is_issued: true }]);
  });

  it("does not change by a repeated report", async () => {
    const { id } = await oneInvoice();
    for (const kind of ["issued", "issued", "paid", "paid"] as const) {
      expect((await announce(id, kind)).status).toBe(200);
    }
    const { rows } = await kit.services.db.pool.query(
      "SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id",
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual(["invoice_closed", "invoice_issued", "invoice_paid"]);
  });

  it("offers only issued documents", async () => {
    const params = { id: "01990000-0000-7000-8000-00000000ffff", document: "boleto" };
    expect((await kit.call(readInvoiceDocument, { params })).status).toBe(404);
    expect(
      (await kit.call(readInvoiceDocument, { params: { ...params, document: "contrato" } })).status,
    ).toBe(400);
  });
});

describe("the monthly report", () => {
  const report = (date: string, by = kit.admin) => by.call(downloadMonthlyReport, { query: { date } });

  it.each(["2026-08-15", "2026-08", "agosto", ""])("COM-032 refuses '%s' for a first day", async (date) => {
    expect((await kit.admin.call(requestMonthlyReport, { query: { date } })).status).toBe(400);
    expect((await report(date)).status).toBe(400);
  });

  it("COM-032 covers charged months only, and invoices whose payments are known", async () => {
    await oneInvoice();
    const query = { date: "2026-07-01" };
    expect(await kit.admin.call(requestMonthlyReport, { query })).toMatchObject({ status: 404 });
    expect((await history())[0].has_report).toBe(true);
    await kit.services.db.pool.query("DELETE FROM invoiced_transfers");
    expect((await history())[0].has_report).toBe(false);
    const of = { query: { date: "2026-08-01" } };
    expect(await kit.admin.call(requestMonthlyReport, of)).toMatchObject({
      status: 404,
      body: { code: "invoice_uncounted" },
    });
    expect((await report("2026-08-01")).body).toMatchObject({ code: "invoice_uncounted" });
  });

  it("COM-032 FST-024 is mailed as a link to the requester, and holds exactly the payments that were counted", async () => {
    await turn();
    const failing = pix(7_77, {
      destination_bank_account: { name: "Ana Lima", pix_key_type: "EMAIL", pix_key: fails },
    });
    await payAt("2026-08-31T21:00:00Z", [
      pix(1_234_56, {
        destination_bank_account: {
          name: '=HYPERLINK("x")',
          pix_key_type: "EMAIL",
          pix_key: "maria@exemplo.com.br",
        },
      }),
      pix(10_00),
      failing,
    ]);
    await payAt("2026-09-01T12:00:00Z", [pix(99_00)]);
    await turn();
    const [{ amount_of_transfers: amount }] = await history();

    const query = { date: "2026-08-01" };
    const noted = async () =>
      (await kit.admin.call(readCheckpoint, { params: { id: "HAS_CREATED_REPORT" } })).body.exists;
    expect(await noted()).toBe(false);
    expect(await kit.admin.call(requestMonthlyReport, { query })).toMatchObject({
      status: 200,
      body: { ok: true },
    });
    expect(await noted()).toBe(true);
    await kit.drainJobs();
    const [mail, ...others] = kit.mails.filter(({ subject }) => subject.startsWith("O relatório"));
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: "helena@aurora.example",
      subject: "O relatório de 08/2026 está pronto",
    });
    expect(mail?.text).toContain("/minha-empresa/faturas?relatorio=2026-08-01");
    expect(mail?.text).toContain("Pagamentos: 2");

    const file = await report("2026-08-01");
    expect(file.headers["content-disposition"]).toBe(
      `attachment; filename="Pagamentos 2026-08.csv"; filename*=UTF-8''Pagamentos%202026-08.csv`,
    );
    const lines = file.body.split("\r\n").filter(Boolean);
    expect(lines[0]).toMatch(/^\uFEFF"Lote";"Nome ou Razão Social";"CPF ou CNPJ";/);
    const rows = lines.slice(1);
    expect(rows).toHaveLength(amount);
    expect(rows[0]).toContain(`"'=HYPERLINK(""x"")"`);
    expect(rows.map((row: string) => row.split(";")[8])).toEqual(['"1.234,56"', '"10,00"']);
    expect(file.body).not.toContain("7,77");
    expect(file.body).not.toContain("99,00");

    await at("2026-10-01T12:00:00Z");
    const fetchAmounts = async (date: string) =>
      (await report(date)).body
        .split("\r\n")
        .filter(Boolean)
        .slice(1)
        .map((row: string) => row.split(";")[8]);
    expect(await fetchAmounts("2026-09-01")).toEqual(['"99,00"']);
    expect(await fetchAmounts("2026-08-01")).toEqual(['"1.234,56"', '"10,00"']);
  });

  it("records in the audit trail who requested and who downloaded it", async () => {
    await oneInvoice();
    await kit.admin.call(requestMonthlyReport, { query: { date: "2026-08-01" } });
    await report("2026-08-01");
    const { rows } = await kit.services.db.pool.query(
      "SELECT action, actor_name, detail FROM audit_entries WHERE action LIKE 'invoice_report_%' ORDER BY id",
    );
    const entry = { actor_name: "Helena Prado", detail: { month: "2026-08-01" } };
    expect(rows).toEqual([
      { action: "invoice_report_requested", ...entry },
      { action: "invoice_report_downloaded", ...entry },
    ]);
  });
});

it("shows a new demo user invoices in every state, with right sums", async () => {
  await kit.close();
  kit = await openPayments({ start: "2026-08-12T13:00:00Z" });
  expect((await history(kit.stranger)).map(({ status }) => status)).toEqual([
    "open",
    "overdue",
    "protested",
    "paid",
  ]);
  expect((await history()).map(({ status }) => status)).toEqual(["paid", "paid", "paid"]);
  for (const one of await history(kit.stranger)) {
    expect(one.total).toBe(one.amount_of_transfers * price);
    expect((await kit.send("GET", one.ticket_url)).status).toBe(200);
  }
  expect(horizonte?.name).toContain("Horizonte");
  // No invoice is of an open month; a closed month is charged even if no worker ran before it ended.
  const { id } = await draft(kit.admin);
  await kit.deposit(100_00);
  expect((await closing(kit.admin, id)).status).toBe(200);
  await kit.drainJobs();
  await kit.pass({ seconds: 5 });
  await at("2026-09-01T12:00:00Z");
  expect(await months()).toContainEqual(["2026-08-01", 1]);
});
