/**
 * Boletos of a closed batch: paid on their day, refused, returned by the bank, paid again, cancelled, and returned to
 * the balance.
 */
import { randomUUID } from "node:crypto";
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import {
  downloadBatchReport,
  listBoletosWithReceipt,
  listTransfersWithReceipt,
} from "@malote/contracts/batches";
import {
  addBoleto,
  changeBoleto,
  listBoletos,
  readBoleto,
  readDuplicatedBoleto,
  refundBoleto,
} from "@malote/contracts/boletos";
import { bases } from "@malote/contracts/contract";
import { approveRequest, listApprovalRequests } from "@malote/contracts/controls";
import { downloadBankReceipt, downloadReceipt } from "@malote/contracts/receipts";
import { readBalance } from "@malote/contracts/statement";
import { readTransfer, refundTransfer } from "@malote/contracts/transfers";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "../../company/store.ts";
import type { Person } from "../../testing/app.ts";
import {
  barcodeOf,
  boletoDraft,
  boletoOf,
  fetchBoletoStatuses,
  fetchBoletos,
  magicBarcode,
} from "../../testing/boletos.ts";
import { paidBoletoCalls } from "../../testing/paid-boletos-kit.ts";
import {
  auroraId,
  batch,
  closing,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // Wednesday, 10:00 in São Paulo.
  kit = await openPayments();
});
afterEach(() => kit.close());

const { paid, settle } = paidBoletoCalls(() => kit);

const give = (by: Person, id: string, billetId: string, key: string = randomUUID()) =>
  by.call(refundBoleto, { params: { id, billetId } }, { "idempotency-key": key });

describe("a batch of boletos", () => {
  it("BIL-001 BIL-004 BIL-027 BAT-028 BAT-057 is paid, final on the next business day, with a receipt for each boleto", async () => {
    const barcode = barcodeOf(100_00, "2026-08-20");
    const id = await paid([boletoOf(100_00, { barcode }), boletoOf(50_00)]);
    expect(await fetchBalance(kit.admin)).toBe(850_00);
    await kit.drainJobs();
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["EXECUTING", "EXECUTING"]);
    const withReceipt = async () => {
      const { data, metadata } = (await kit.analyst.call(listBoletosWithReceipt, { params: { id } })).body;
      expect(metadata.pagination.totalItems).toBe(data.length);
      return data;
    };
    expect(await withReceipt()).toEqual([]);
    await settle();
    const [boleto] = await fetchBoletos(kit.admin, id);
    expect(boleto).toMatchObject({
      status: "PAID",
      scheduled_for: "2026-08-12",
      paid_date: "2026-08-12T13:00:00.800Z",
      batch_id: id,
      can_cancel: false,
    });
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 2 });

    expect(await withReceipt()).toMatchObject([
      { id: boleto?.id, value: 100_00, receipt_url: boleto?.receipt_url },
      { value: 50_00, receipt_url: expect.any(String) },
    ]);
    expect((await kit.admin.call(listTransfersWithReceipt, { params: { id } })).body.code).toBe("not_found");
    for (const [contract, shown] of [
      [downloadReceipt, boleto?.receipt_url],
      [downloadBankReceipt, boleto?.bank_receipt_url],
    ] as const) {
      const address = bases.payments + contract.path.replace(":id", boleto?.id ?? "");
      expect(shown).toBe(address);
      const file = await kit.admin.get(address);
      expect([file.status, file.headers["content-type"]]).toEqual([200, "application/pdf"]);
    }
    const receipt = await kit.admin.call(downloadReceipt, { params: { id: boleto?.id ?? "" } });
    expect([receipt.status, receipt.headers["content-type"]]).toEqual([200, "application/pdf"]);

    const report = await kit.admin.get(
      `${bases.payments}${downloadBatchReport.path.replace(":id", id)}?format=csv`,
    );
    expect(report.body).toContain(formatBoletoLine(barcode));
    expect(report.body).toContain("20/08/2026");

    await kit.passUntil("2026-08-13T11:00:01Z");
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["FINISHED", "FINISHED"]);
    expect(
      (await kit.admin.call(listBoletos, { params: { id }, query: { status: "PAID" } })).body.data,
    ).toHaveLength(2);
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({ type: "BATCH", value: -150_00 });
    // A boleto adds no saved receiver, and the calls of transfers do not find it.
    const { rows } = await kit.services.db.pool.query(
      "SELECT FROM receivers WHERE pix_key IS NULL AND bank_ispb IS NULL",
    );
    expect(rows).toEqual([]);
    expect((await kit.admin.call(readTransfer, { params: { id: boleto?.id ?? "" } })).body.code).toBe(
      "not_found",
    );
    expect((await kit.admin.call(readBoleto, { params: { id: boleto?.id ?? "" } })).body).toMatchObject({
      paid_date: "2026-08-12T13:00:00.800Z",
      batch_id: id,
      receipt_url: boleto?.receipt_url,
      bank_receipt_url: boleto?.bank_receipt_url,
    });
  });

  it("BIL-018 runs each boleto on its own day: immediately, at the opening hour, or on the requested day", async () => {
    await kit.passUntil("2026-08-12T20:30:00Z");
    const waterBill = "826200000014234512341236456789012345567890123456";
    const id = await paid([
      boletoOf(10_00),
      { ...boletoOf(1), barcode: waterBill },
      boletoOf(20_00, { payment_date: "2026-08-15" }),
    ]);
    await settle();
    const days = (await fetchBoletos(kit.admin, id)).map(({ status, scheduled_for }) => [
      status,
      scheduled_for,
    ]);
    expect(days).toEqual([
      ["PAID", "2026-08-12"],
      ["SCHEDULED", "2026-08-13"],
      ["SCHEDULED", "2026-08-17"],
    ]);
    await kit.passUntil("2026-08-13T09:59:59Z");
    expect((await fetchBoletoStatuses(kit.admin, id))[1]).toBe("SCHEDULED");
    await kit.passUntil("2026-08-13T10:00:00Z");
    await settle();
    expect((await fetchBoletoStatuses(kit.admin, id))[1]).toBe("PAID");
    await kit.passUntil("2026-08-17T10:00:00Z");
    await settle();
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["FINISHED", "FINISHED", "PAID"]);
  });

  it("STM-019 waits for money, and the network refuses boletos that became late meanwhile", async () => {
    const { id } = await boletoDraft(kit.admin, [
      boletoOf(10_00, { barcode: barcodeOf(10_00, "2026-08-13") }),
      boletoOf(20_00),
    ]);
    expect((await closing(kit.admin, id)).body).toMatchObject({ is_batch_paid: false });
    // A draft does not wait for money, and neither does a batch that waits for a person.
    await boletoDraft(kit.operator, [boletoOf(40_00)]);
    const unapproved = await boletoDraft(kit.operator, [boletoOf(50_00)]);
    await kit.operator.call(sendBatchToApproval, { params: { id: unapproved.id } });
    const balance = async () => (await kit.admin.call(readBalance)).body;
    expect(await balance()).toEqual({ value: 0, waiting_value: 30_00 });
    await kit.passUntil("2026-08-14T15:00:00Z");
    await kit.deposit(30_00);
    await settle();
    expect(await balance()).toEqual({ value: 0, waiting_value: 0 });
    const [late, other] = await fetchBoletos(kit.admin, id);
    expect(late).toMatchObject({ status: "FAILED", status_description: "Boleto vencido." });
    expect(other).toMatchObject({ status: "PAID" });
    await give(kit.admin, id, late?.id ?? "");
    expect(await fetchBalance(kit.admin)).toBe(10_00);
  });

  it("binds an approval to these boletos, dates and descriptions", async () => {
    const { id } = await boletoDraft(kit.operator, [boletoOf(10_00)]);
    const sent = await kit.operator.call(sendBatchToApproval, { params: { id } });
    expect(sent.body.status).toBe("WAITING_APPROVAL");
    await kit.deposit(100_00);
    const other = barcodeOf(10_00);
    await kit.services.db.pool.query("UPDATE transfers SET barcode = $1 WHERE batch_id = $2", [other, id]);
    const approve = () => closing(kit.admin, id, randomUUID(), { revision: sent.body.revision });
    expect((await approve()).body.code).toBe("approval_content_changed");
    expect(await fetchBalance(kit.admin)).toBe(100_00);
  });

  it("BIL-013 closes only one of two drafts with the same boleto that are closed concurrently", async () => {
    await kit.deposit(1_000_00);
    const barcode = barcodeOf(10_00);
    const [first, second] = [
      await boletoDraft(kit.admin, []),
      await boletoDraft(kit.admin, [boletoOf(10_00, { barcode })]),
    ];
    // The closing reaches the balance check and waits there.
    const { pool } = kit.services.db;
    const holder = await pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM ledger_accounts WHERE account = 'available' FOR UPDATE");
    const waiting = async (wanted: number) => {
      for (;;) {
        const { rows } = await pool.query(
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        if (rows[0].n >= wanted) return;
      }
    };
    const closingSecond = closing(kit.admin, second.id);
    await waiting(1);
    // It was requested earlier and took longer, so it precedes the batch that is being closed.
    kit.clock.advance({ seconds: -1 });
    const added = await kit.admin.call(addBoleto, {
      params: { id: first.id },
      body: boletoOf(10_00, { barcode }),
    });
    expect(added.body.errors).toEqual([]);
    const closingFirst = closing(kit.admin, first.id);
    await waiting(2);
    await holder.query("COMMIT");
    holder.release();
    const answers = await Promise.all([closingFirst, closingSecond]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [422, "batch_has_errors"],
      [200, undefined],
    ]);
    expect(await fetchBalance(kit.admin)).toBe(990_00);
  });
});

describe("a boleto that failed", () => {
  const failing = (ending: string) => boletoOf(30_00, { barcode: magicBarcode(30_00, ending) });

  it("BIL-006 BIL-027 shows the reason, keeps its money reserved, and can be returned once, but not by analysts", async () => {
    const id = await paid([failing("15"), boletoOf(40_00)]);
    await settle();
    const [failed, other] = await fetchBoletos(kit.admin, id);
    expect(failed).toMatchObject({
      status: "FAILED",
      status_description: "Boleto não registrado.",
      receipt_url: null,
      bank_receipt_url: null,
    });
    expect(await batch(kit.admin, id)).toMatchObject({ status: "RECEIVED", failed_count: 1, paid_count: 1 });
    expect(await fetchBalance(kit.admin)).toBe(930_00);

    const failedId = failed?.id ?? "";
    expect((await kit.call(refundBoleto, { params: { id, billetId: failedId } })).status).toBe(401);
    expect((await give(kit.analyst, id, failedId)).status).toBe(403);
    expect((await give(kit.stranger, id, failedId)).body.code).toBe("not_found");
    expect((await give(kit.admin, id, other?.id ?? "")).body.code).toBe("transfer_not_failed");
    expect((await kit.admin.call(refundBoleto, { params: { id, billetId: failedId } })).body.code).toBe(
      "not_acceptable_key",
    );
    expect(
      (await kit.admin.call(refundTransfer, { params: { id, tid: failedId } }, { "idempotency-key": "x" }))
        .body.code,
    ).toBe("not_found");

    const first = await give(kit.admin, id, failedId, "one");
    expect(first.body).toMatchObject({ status: "RETURNED" });
    expect((await give(kit.admin, id, failedId, "one")).body).toEqual(first.body);
    const more = await Promise.all(Array.from({ length: 8 }, () => give(kit.admin, id, failedId)));
    expect(more.map(({ body }) => body.code)).toEqual(Array(8).fill("transfer_not_failed"));
    expect(await fetchBalance(kit.admin)).toBe(960_00);
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "FINISHED",
      returned_count: 1,
      failed_count: 0,
    });
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({ type: "REFUND", value: 30_00 });
  });

  it("BIL-013 is no longer registered after it was refused and returned, so that another batch can pay it", async () => {
    const id = await paid([failing("15"), boletoOf(40_00)]);
    await settle();
    const [failed, other] = await fetchBoletos(kit.admin, id);
    const isDuplicated = async (barcode: string | null | undefined) =>
      (await kit.admin.call(readDuplicatedBoleto, { query: { barcode: barcode ?? "" } })).body.isDuplicated;
    const makeDraft = async (one: typeof failed) => {
      const { id } = await boletoDraft(kit.admin, [
        boletoOf(one?.value ?? 0, { barcode: one?.barcode ?? "" }),
      ]);
      return (await fetchBoletos(kit.admin, id))[0]?.errors.map(({ code }) => code);
    };
    expect([await isDuplicated(failed?.barcode), await isDuplicated(other?.barcode)]).toEqual([false, true]);
    await give(kit.admin, id, failed?.id ?? "");
    expect(await isDuplicated(failed?.barcode)).toBe(false);
    expect([await makeDraft(failed), await makeDraft(other)]).toEqual([[], ["billet_duplicated"]]);
  });

  it("is returned alone, without another one that failed", async () => {
    const id = await paid([failing("15"), failing("25")]);
    await settle();
    const [first] = await fetchBoletos(kit.admin, id);
    await give(kit.admin, id, first?.id ?? "");
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["RETURNED", "FAILED"]);
    expect(await fetchBalance(kit.admin)).toBe(970_00);
  });

  it("is resent once with its mistake corrected, for the same value, but not by an analyst", async () => {
    const id = await paid([failing("25"), failing("16")]);
    await settle();
    const [failed] = await fetchBoletos(kit.admin, id);
    const again = (by: Person, changes: object = {}) =>
      by.call(changeBoleto, {
        params: { id },
        body: { ...boletoOf(30_00), ...changes, id: failed?.id ?? "" },
      });
    expect((await again(kit.analyst)).status).toBe(403);
    expect((await again(kit.stranger)).body.code).toBe("not_found");
    expect((await again(kit.admin, { barcode: barcodeOf(30_01) })).body.code).toBe("billet_value_fixed");
    expect((await again(kit.admin, { barcode: "123" })).body.code).toBe("billet_invalid");
    expect((await again(kit.admin, { description: "" })).body.code).toBe("billet_invalid");
    const inUse = await boletoDraft(kit.admin, [boletoOf(30_00)]);
    const [used] = await fetchBoletos(kit.admin, inUse.id);
    expect((await again(kit.admin, { barcode: used?.barcode })).body).toMatchObject({
      code: "billet_duplicated",
      message: "Este boleto já foi cadastrado.",
      data: { batch: { id: expect.any(String) } },
    });

    const answers = await Promise.all([again(kit.admin), again(kit.admin)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await kit.drainJobs();
    await settle();
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID", "FAILED"]);
    expect(await batch(kit.admin, id)).toMatchObject({ paid_count: 1, failed_count: 1 });
    expect(await fetchBalance(kit.admin)).toBe(940_00);
  });

  it("gets another destination only with another person's approval, if a second person is required", async () => {
    const id = await paid([failing("25")]);
    await settle();
    await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { requiresOtherApprover: true }));
    const [failed] = await fetchBoletos(kit.admin, id);
    const again = (by: Person) =>
      by.call(changeBoleto, { params: { id }, body: { ...boletoOf(30_00), id: failed?.id ?? "" } });
    // Helena has no other admin to ask.
    expect((await again(kit.admin)).body.code).toBe("approvers_too_few");
    expect((await again(kit.operator)).body).toMatchObject({ status: "FAILED", awaits_approval: true });
    expect((await again(kit.operator)).body.code).toBe("payment_awaits_approval");
    const [request] = (await kit.admin.call(listApprovalRequests)).body.data;
    const approved = await kit.admin.call(
      approveRequest,
      { params: { id: request.id }, body: { digest: request.digest } },
      { "idempotency-key": randomUUID() },
    );
    expect(approved.body.status).toBe("approved");
    await kit.drainJobs();
    await settle();
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID"]);
  });

  it("may be registered again in another batch", async () => {
    const id = await paid([failing("25")]);
    await settle();
    const [failed] = await fetchBoletos(kit.admin, id);
    const next = await boletoDraft(kit.admin, [boletoOf(30_00, { barcode: failed?.barcode ?? "" })]);
    expect((await fetchBoletos(kit.admin, next.id))[0]?.errors).toEqual([]);
  });
});

it("BIL-004 BIL-006 BIL-027 marks a boleto that the issuing bank sends back as returned, with its money on the balance", async () => {
  const id = await paid([boletoOf(30_00, { barcode: magicBarcode(30_00, "35") })]);
  await settle();
  expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID"]);
  await kit.passUntil("2026-08-13T11:00:01Z");
  const [boleto] = await fetchBoletos(kit.admin, id);
  expect(boleto).toMatchObject({
    status: "RETURNED",
    status_description: "Pagamento devolvido pelo banco que emitiu o boleto.",
    receipt_url: null,
    bank_receipt_url: null,
  });
  expect(await fetchBalance(kit.admin)).toBe(1_000_00);
});
