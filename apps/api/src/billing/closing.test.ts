/** Closing a month: the payments that count, the number of invoices, and the price. */
import { randomUUID } from "node:crypto";
import { downloadMonthlyReport } from "@malote/contracts/billing";
import { withdrawBalance } from "@malote/contracts/statement";
import { refundTransfer } from "@malote/contracts/transfers";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveBankAccount } from "../company/store.ts";
import { countBeforeAndAfter, countMoved, type MovedCount } from "../indicators/index.ts";
import { billingCalls, fails, price } from "../testing/billing-kit.ts";
import { boletoDraft, boletoOf, fetchBoletos, magicBarcode } from "../testing/boletos.ts";
import { byForce } from "../testing/by-force.ts";
import {
  auroraId,
  batch,
  closing,
  openPayments,
  ownAccount,
  type PaymentsKit,
  pix,
  ted,
} from "../testing/payments-kit.ts";
import { closeMonths, listCompaniesToCharge } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // The start is a Friday; the month ends on Monday.
  kit = await openPayments({ start: "2026-08-28T13:00:00Z" });
  await kit.services.db.pool.query("TRUNCATE invoices, invoiced_transfers, billing_accounts");
});
afterEach(() => kit.close());

const { turn, history, months, at, payAt } = billingCalls(() => kit);

const statuses = async (): Promise<string[]> => {
  const { rows } = await kit.services.db.pool.query("SELECT status FROM transfers ORDER BY status");
  return rows.map(({ status }) => status);
};
const key = () => ({ "idempotency-key": randomUUID() });

describe("closing a month", () => {
  beforeEach(() => turn());

  it("COM-027 counts payments that arrived until the last minute, and none from midnight on", async () => {
    await payAt("2026-09-01T02:58:58Z", [pix(1_00), pix(2_00)]);
    await payAt("2026-09-01T03:00:00Z", [pix(3_00)]);
    const { rows } = await kit.services.db.pool.query(
      "SELECT value, transfer_date FROM transfers ORDER BY value",
    );
    const [, second, third] = rows.map((row) => row.transfer_date.toISOString());
    expect(second < "2026-09-01T03:00:00.000Z" && second > "2026-09-01T02:58:00.000Z").toBe(true);
    expect(third >= "2026-09-01T03:00:00.000Z").toBe(true);

    // Payments of the month may still be reported, so no month is closed before six.
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

  it("uses the second of arrival: 23:59:59 counts and 00:00:00 does not", async () => {
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

  it("does not count failed, returned and pending payments, nor withdrawals", async () => {
    await kit.services.db.withCompany(auroraId, (tx) => saveBankAccount(tx, ownAccount));
    const failing = () =>
      pix(1_00, {
        destination_bank_account: { name: "Ana Lima", pix_key_type: "EMAIL", pix_key: fails },
      });
    const id = await payAt("2026-08-31T18:00:00Z", [failing()]);
    await payAt("2026-08-31T18:01:00Z", [pix(1_00), failing()]);
    const failed = (await batch(kit.admin, id)).transfers.find(({ status }) => status === "FAILED");
    const refund = { params: { id, tid: failed.id } };
    expect((await kit.admin.call(refundTransfer, refund, key())).status).toBe(200);
    expect((await kit.admin.call(withdrawBalance, { body: { value: 5_00 } }, key())).status).toBe(200);
    await kit.pass({ minutes: 5 });
    // A TED after the cut-off goes on the next business day, which is in September.
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
    const [boleto] = await fetchBoletos(kit.admin, id);
    expect(body).toContain(
      `"Aluguel do escritório";;"Boleto";"${boleto?.bank?.code} ${boleto?.bank?.name}";;;"${formatBoletoLine(boleto?.barcode ?? "")}";"20,00";"Pago";`,
    );
  });

  it("does not count payments returned before the closing; a later return leaves them charged", async () => {
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

  it("never charges a payment twice, even if a month is closed again", async () => {
    await payAt("2026-08-31T21:00:00Z", [pix(1_00)]);
    await at("2026-09-01T09:00:00Z");
    await kit.services.db.pool.query("UPDATE billing_accounts SET closed_until = '2026-08-01'");
    await kit.services.db.pool.query("UPDATE invoices SET billing_period_start = '2026-07-01'");
    await turn();
    expect(await months()).toEqual([["2026-07-01", 1]]);
  });

  it("happens once for a month, also when several workers close it at the same moment", async () => {
    await payAt("2026-08-31T21:00:00Z");
    await kit.passUntil("2026-09-01T12:00:00Z");
    const second = await kit.another();
    await Promise.all(
      [kit, second, kit, second].map(({ services }) => closeMonths(services, { companyId: auroraId })),
    );
    await second.services.db.close();
    await turn();
    expect(await months()).toEqual([["2026-08-01", 1]]);
    expect(await listCompaniesToCharge(kit.services)).toEqual([]);
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

  it("closes missed months later, with one invoice each and none for a month without payments", async () => {
    await payAt("2026-08-31T21:00:00Z");
    await payAt("2026-10-15T15:00:00Z", [pix(1_00), pix(2_00)]);
    await at("2026-12-01T12:00:00Z");
    expect(await months()).toEqual([
      ["2026-10-01", 2],
      ["2026-08-01", 1],
    ]);
  });

  it("charges a payment whose event arrived late with the next month", async () => {
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
  const setPrice = (paymentPriceCents: number | undefined) => {
    kit.services.config = { ...kit.services.config, paymentPriceCents };
  };

  it("is charged from the first month with a price on, never for earlier months", async () => {
    setPrice(undefined);
    await payAt("2026-08-31T21:00:00Z");
    await kit.passUntil("2026-09-05T12:00:00Z");
    setPrice(price);
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

  it("is the configured one on the day of the closing; without a price there is no invoice, also not later", async () => {
    await turn();
    await payAt("2026-08-31T21:00:00Z");
    setPrice(undefined);
    await at("2026-09-01T12:00:00Z");
    setPrice(price);
    await turn();
    expect(await history()).toEqual([]);
    await payAt("2026-09-05T12:00:00Z", [pix(1_00), pix(1_00), pix(1_00)]);
    setPrice(1_25);
    await at("2026-10-01T12:00:00Z");
    expect((await history()).map(({ total }) => total)).toEqual([3_75]);
  });
});
