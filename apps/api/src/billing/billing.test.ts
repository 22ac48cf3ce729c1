import { randomUUID } from "node:crypto";
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
import { withdrawBalance } from "@malote/contracts/statement";
import { refundTransfer } from "@malote/contracts/transfers";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { saveBankAccount } from "../company/store.ts";
import { countBeforeAndAfter, countMoved, type MovedCount } from "../indicators/index.ts";
import type { Config } from "../platform/config.ts";
import { boletoDraft, boletoOf, boletosOf, magicBarcode } from "../testing/boletos.ts";
import { byForce } from "../testing/by-force.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  ownAccount,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../testing/payments-kit.ts";
import { closeMonths, companiesToCharge } from "./index.ts";

const [, horizonte] = demoCompanies;
/** Centavos, as the sandbox has it. */
const price = 49;
const fails = "chave.pix15@exemplo.com.br";

let kit: PaymentsKit;
beforeEach(async () => {
  // A Friday; the month ends on Monday.
  kit = await openPayments({ start: "2026-08-28T13:00:00Z" });
  await kit.services.db.pool.query("TRUNCATE invoices, invoiced_transfers, billing_accounts");
});
afterEach(() => kit.close());

/** What the worker does each turn. */
async function turn(config: Partial<Config> = {}): Promise<void> {
  const services = { ...kit.services, config: { ...kit.services.config, ...config } };
  for (const companyId of await companiesToCharge(services)) await closeMonths(services, { companyId });
}
const history = async (by = kit.admin) => (await by.call(listInvoices)).body.data;
const months = async () =>
  (await history()).map((one: { billing_period_start: string; amount_of_transfers: number }) => [
    one.billing_period_start,
    one.amount_of_transfers,
  ]);
const at = async (instant: string) => {
  await kit.passUntil(instant);
  await turn();
};
/** Pays so many at an instant; answers the batch. */
async function payAt(instant: string, transfers = [pix(1_00)]): Promise<string> {
  await kit.passUntil(instant);
  const id = await paidFor(kit, transfers);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  return id;
}
const statuses = async (): Promise<string[]> => {
  const { rows } = await kit.services.db.pool.query("SELECT status FROM transfers ORDER BY status");
  return rows.map(({ status }) => status);
};
const key = () => ({ "idempotency-key": randomUUID() });
const showFinance = (shown: boolean) =>
  kit.services.db.withCompany(auroraId, (tx) =>
    sql`UPDATE companies SET settings = settings || ${JSON.stringify({ showFinanceInfo: shown })}::jsonb
        WHERE company_id = ${auroraId}`.execute(tx),
  );
/** One closed invoice of August, due on 10 September. */
async function oneInvoice(): Promise<{ id: string }> {
  await turn();
  await payAt("2026-08-31T21:00:00Z");
  await at("2026-09-01T12:00:00Z");
  const [invoice] = await history();
  return invoice;
}
const announce = (id: string, kind: "issued" | "paid" | "protested") =>
  kit.call(announceInvoice, { params: { id }, body: { kind } });

describe("who may see invoices", () => {
  const calls = [listInvoices, readHasPayRequest, readPayRequest, readHasOverdue];

  it("COM-002 COM-033 is an admin, and nobody else", async () => {
    for (const contract of [...calls, requestMonthlyReport, downloadMonthlyReport]) {
      const query = contract.id.endsWith("Report") ? { date: "2026-08-01" } : {};
      expect((await kit.call(contract, { query })).status).toBe(401);
      expect((await kit.operator.call(contract, { query })).status).toBe(403);
      expect((await kit.analyst.call(contract, { query })).status).toBe(403);
    }
  });

  it("COM-003 is an admin in either application", async () => {
    const elsewhere = await kit.as("helena@aurora.example", "validation");
    for (const contract of calls) expect((await elsewhere.call(contract)).status).toBe(200);
    // The report names every receiver of a month: it is of the payments application.
    for (const contract of [requestMonthlyReport, downloadMonthlyReport])
      expect((await elsewhere.call(contract, { query: { date: "2026-08-01" } })).status).toBe(403);
  });

  it("COM-004 is nobody of a company that does not show them: there is nothing to pay either", async () => {
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

  it("is the company alone that is charged", async () => {
    await oneInvoice();
    expect(await history(kit.stranger)).toEqual([]);
    const query = { date: "2026-08-01" };
    expect((await kit.stranger.call(requestMonthlyReport, { query })).status).toBe(404);
    expect((await kit.stranger.call(downloadMonthlyReport, { query })).status).toBe(404);
  });
});

describe("closing a month", () => {
  beforeEach(() => turn());

  it("COM-027 counts what arrived until the last minute, and nothing from midnight on", async () => {
    await payAt("2026-09-01T02:58:58Z", [pix(1_00), pix(2_00)]);
    await payAt("2026-09-01T03:00:00Z", [pix(3_00)]);
    const { rows } = await kit.services.db.pool.query(
      "SELECT value, transfer_date FROM transfers ORDER BY value",
    );
    const [, second, third] = rows.map((row) => row.transfer_date.toISOString());
    expect(second < "2026-09-01T03:00:00.000Z" && second > "2026-09-01T02:58:00.000Z").toBe(true);
    expect(third >= "2026-09-01T03:00:00.000Z").toBe(true);

    // The month can still learn of payments: nothing is closed before six.
    await at("2026-09-01T08:59:59Z");
    expect(await history()).toEqual([]);
    await at("2026-09-01T09:00:00Z");
    expect(await history()).toEqual([
      {
        id: expect.any(String),
        billing_period_start: "2026-08-01",
        amount_of_transfers: 2,
        total: 2 * price,
        status: "open",
        due_date: "2026-09-10",
        electronic_invoice_url: null,
        ticket_url: null,
        has_report: true,
      },
    ]);
    await at("2026-10-01T09:00:00Z");
    expect(await months()).toEqual([
      ["2026-09-01", 1],
      ["2026-08-01", 2],
    ]);
  });

  it("is by the arrival, to the second: 23:59:59 counts and 00:00:00 does not", async () => {
    await payAt("2026-08-31T21:00:00Z", [pix(1_00), pix(2_00)]);
    for (const [value, arrived] of [
      [1_00, "2026-09-01T02:59:59.999Z"],
      [2_00, "2026-09-01T03:00:00.000Z"],
    ]) {
      await kit.services.db.withCompany(auroraId, async (tx) => {
        const { rows } = await sql<MovedCount>`
          UPDATE transfers t SET transfer_date = ${arrived} WHERE company_id = ${tx.companyId} AND value = ${value}
          RETURNING ${countBeforeAndAfter}`.execute(tx);
        await countMoved(tx, rows);
      });
    }
    await at("2026-09-01T12:00:00Z");
    expect(await months()).toEqual([["2026-08-01", 1]]);
    await at("2026-10-01T12:00:00Z");
    expect((await months())[0]).toEqual(["2026-09-01", 1]);
  });

  it("does not count what failed, what was given back, what is on its way, and withdrawals", async () => {
    await kit.services.db.withCompany(auroraId, (tx) => saveBankAccount(tx, ownAccount));
    const failing = () =>
      pix(1_00, {
        destination_bank_account: { name: "Ana Lima", pix_key_type: "EMAIL", pix_key: fails },
      });
    const id = await payAt("2026-08-31T18:00:00Z", [failing()]);
    await payAt("2026-08-31T18:01:00Z", [pix(1_00), failing()]);
    const failed = (await batch(kit.admin, id)).transfers.find(
      ({ status }: { status: string }) => status === "FAILED",
    );
    const refund = { params: { id, tid: failed.id } };
    expect((await kit.admin.call(refundTransfer, refund, key())).status).toBe(200);
    expect((await kit.admin.call(withdrawBalance, { body: { value: 5_00 } }, key())).status).toBe(200);
    await kit.pass({ minutes: 5 });
    // A TED after its hours goes on the next business day, which is September.
    await payAt("2026-08-31T21:00:00Z", [ted(9_00)]);
    expect(await statuses()).toEqual(["FAILED", "FINISHED", "RETURNED", "SCHEDULED", "TRANSFERRED"]);
    await at("2026-09-01T09:00:00Z");
    expect(await months()).toEqual([["2026-08-01", 1]]);
    await kit.passUntil("2026-09-01T15:00:00Z");
    await kit.pass({ minutes: 10 });
    await at("2026-10-01T09:00:00Z");
    expect((await months())[0]).toEqual(["2026-09-01", 1]);
  });

  it("counts boletos too, and lists them in the report", async () => {
    await kit.passUntil("2026-08-31T21:00:00Z");
    await kit.deposit(100_00);
    const { id } = await boletoDraft(kit.admin, [
      boletoOf(20_00),
      boletoOf(30_00, { barcode: magicBarcode(30_00, "15") }),
    ]);
    expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await at("2026-09-01T09:00:00Z");
    expect(await months()).toEqual([["2026-08-01", 1]]);
    const { body } = await kit.admin.call(downloadMonthlyReport, { query: { date: "2026-08-01" } });
    const [boleto] = await boletosOf(kit.admin, id);
    expect(body).toContain(
      `"Aluguel do escritório";;"Boleto";"${boleto?.bank?.code} ${boleto?.bank?.name}";;;"${formatBoletoLine(boleto?.barcode ?? "")}";"20,00";"Pago";`,
    );
  });

  it("does not count what came back before the closing; what comes back later stays charged", async () => {
    const back = "58204617000109";
    await payAt("2026-08-28T15:00:00Z", [ted(1_00, {}, back)]);
    await kit.pass({ minutes: 10 });
    await payAt("2026-08-31T18:00:00Z", [ted(2_00, {}, back), ted(3_00)]);
    await kit.pass({ minutes: 10 });
    expect(await statuses()).toEqual(["RETURNED", "TRANSFERRED", "TRANSFERRED"]);
    await at("2026-09-01T09:00:00Z");
    expect(await months()).toEqual([["2026-08-01", 2]]);
    await at("2026-10-01T09:00:00Z");
    expect(await statuses()).toEqual(["FINISHED", "RETURNED", "RETURNED"]);
    expect(await months()).toEqual([["2026-08-01", 2]]);
  });

  it("never charges a payment twice, though a month is closed again", async () => {
    await payAt("2026-08-31T21:00:00Z", [pix(1_00)]);
    await at("2026-09-01T09:00:00Z");
    await kit.services.db.pool.query("UPDATE billing_accounts SET closed_until = '2026-08-01'");
    await kit.services.db.pool.query("UPDATE invoices SET billing_period_start = '2026-07-01'");
    await turn();
    expect(await months()).toEqual([["2026-07-01", 1]]);
  });

  it("happens once for a month, also when several workers come at the same moment", async () => {
    await payAt("2026-08-31T21:00:00Z");
    await kit.passUntil("2026-09-01T12:00:00Z");
    const second = await kit.another();
    await Promise.all(
      [kit, second, kit, second].map(({ services }) => closeMonths(services, { companyId: auroraId })),
    );
    await second.services.db.close();
    await turn();
    expect(await months()).toEqual([["2026-08-01", 1]]);
    expect(await companiesToCharge(kit.services)).toEqual([]);
    const { rows } = await kit.services.db.pool.query(
      "SELECT actor_kind, detail FROM audit_entries WHERE action = 'invoice_closed'",
    );
    expect(rows).toEqual([
      {
        actor_kind: "system",
        detail: { month: "2026-08-01", dueDate: "2026-09-10", amount: 1, total: price },
      },
    ]);
  });

  it("makes up for months in which nobody worked, one invoice each and none for a month without payments", async () => {
    await payAt("2026-08-31T21:00:00Z");
    await payAt("2026-10-15T15:00:00Z", [pix(1_00), pix(2_00)]);
    await at("2026-12-01T12:00:00Z");
    expect(await months()).toEqual([
      ["2026-10-01", 2],
      ["2026-08-01", 1],
    ]);
  });

  it("charges a payment whose news came late with the next month", async () => {
    const id = await payAt("2026-08-31T21:00:00Z", [pix(1_00), pix(2_00)]);
    await kit.services.db.pool.query(
      `${byForce} UPDATE transfers SET status = 'EXECUTING' WHERE batch_id = '${id}' AND value = 200`,
    );
    await at("2026-09-01T12:00:00Z");
    await kit.services.db.pool.query("UPDATE transfers SET status = 'FINISHED' WHERE batch_id = $1", [id]);
    await at("2026-10-01T12:00:00Z");
    expect(await months()).toEqual([
      ["2026-09-01", 1],
      ["2026-08-01", 1],
    ]);
  });
});

describe("the price", () => {
  it("is charged from the month on in which there is one, never for earlier ones", async () => {
    await payAt("2026-08-31T21:00:00Z");
    await kit.passUntil("2026-09-05T12:00:00Z");
    await turn();
    await payAt("2026-09-06T12:00:00Z");
    await at("2026-10-01T12:00:00Z");
    expect(await months()).toEqual([["2026-09-01", 1]]);
  });

  it.each(["2026-09-01T05:00:00Z", "2026-09-01T09:00:00Z"])(
    "set on the first does not charge the month before, at %s",
    async (instant) => {
      await turn({ paymentPriceCents: undefined });
      await payAt("2026-08-31T21:00:00Z");
      await turn({ paymentPriceCents: undefined });
      await at(instant);
      await at("2026-09-01T12:00:00Z");
      expect(await history()).toEqual([]);
      await payAt("2026-09-05T12:00:00Z", [pix(1_00), pix(1_00)]);
      await at("2026-10-01T12:00:00Z");
      expect(await months()).toEqual([["2026-09-01", 2]]);
    },
  );

  it("is what the configuration says on the day of the closing; without one there are no invoices, also not later", async () => {
    await turn();
    await payAt("2026-08-31T21:00:00Z");
    await kit.passUntil("2026-09-01T12:00:00Z");
    await turn({ paymentPriceCents: undefined });
    await turn();
    expect(await history()).toEqual([]);
    await payAt("2026-09-05T12:00:00Z", [pix(1_00), pix(1_00), pix(1_00)]);
    await kit.passUntil("2026-10-01T12:00:00Z");
    await turn({ paymentPriceCents: 1_25 });
    expect((await history()).map(({ total }: { total: number }) => total)).toEqual([3_75]);
  });
});

describe("what becomes of an invoice", () => {
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

  it("COM-033 asks for the one that is due first", async () => {
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

  it("is updated by the operator's system: its documents, its payment, a protest of what is late", async () => {
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
    ]) {
      const document = await kit.send("GET", url);
      expect([document.status, document.body.split("\n")[0]]).toEqual([200, title]);
      expect(document.body).toContain("R$ 0,49");
    }
    await announce(id, "paid");
    expect(await announce(id, "protested")).toMatchObject({ status: 409, body: { code: "invoice_paid" } });
    const { data } = (await kit.call(listSimulatedInvoices)).body;
    expect(data).toMatchObject([{ id, company: { id: auroraId }, status: "paid", is_issued: true }]);
  });

  it("changes nothing when it is delivered again", async () => {
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

  it("has no document that nobody issued", async () => {
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

  it("COM-032 is of months that were charged, and of invoices whose payments are known", async () => {
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

  it("COM-032 is mailed as a link to whoever asked, and holds exactly the payments that were counted", async () => {
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
  });

  it("leaves a trail of who asked and who fetched it", async () => {
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

it("shows a new user of the demonstration invoices in every state, that add up", async () => {
  await kit.close();
  kit = await openPayments({ start: "2026-08-12T13:00:00Z" });
  expect((await history(kit.stranger)).map(({ status }: { status: string }) => status)).toEqual([
    "open",
    "overdue",
    "protested",
    "paid",
  ]);
  expect((await history()).map(({ status }: { status: string }) => status)).toEqual(["paid", "paid", "paid"]);
  for (const one of await history(kit.stranger)) {
    expect(one.total).toBe(one.amount_of_transfers * price);
    expect((await kit.send("GET", one.ticket_url)).status).toBe(200);
  }
  expect(horizonte?.name).toContain("Horizonte");
  // None of them is of a month that is still to be closed, which is charged though no worker looked before it ended.
  const { id } = await draft(kit.admin);
  await kit.deposit(100_00);
  expect((await closing(kit.admin, id)).status).toBe(200);
  await kit.drainJobs();
  await kit.pass({ seconds: 5 });
  await at("2026-09-01T12:00:00Z");
  expect(await months()).toContainEqual(["2026-08-01", 1]);
});
