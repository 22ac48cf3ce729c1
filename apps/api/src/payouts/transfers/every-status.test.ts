/**
 * Every status of a payment, including those that no code here writes (decision 0044), as rows that no action made: the
 * lists of one batch and of all batches find the same payments, and one rule on returned payments decides what may be
 * paid again.
 */
import { randomUUID } from "node:crypto";
import {
  type Boleto,
  type BoletoPageFilter,
  boletoPageFilters,
  listAllBoletos,
  listBoletos,
  readDuplicatedBoleto,
} from "@malote/contracts/boletos";
import { type Check, readBatchChecks } from "@malote/contracts/checks";
import {
  changeTransfer,
  listAllTransfers,
  listTransfers,
  type Transfer,
  type TransferPageFilter,
  transferPageFilters,
} from "@malote/contracts/transfers";
import { boletoStatusOf } from "@malote/domain/boleto";
import { type PaymentStatus, paymentStatuses } from "@malote/domain/payment-status";
import { afterAll, beforeAll, expect, it } from "vitest";
import { barcodeOf, boletoDraft, boletoOf, fetchBoletos } from "../../testing/boletos.ts";
import { auroraId, draft, openPayments, type PaymentsKit, pix } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
/** Batches by their contents: drafts, batches under validation, and closed ones. */
let transferBatches: string[];
let boletoBatches: string[];
const period = { initialDate: "2026-10-01", endDate: "2026-10-31" };
const sent = paymentStatuses.filter((status) => status !== "CREATED");
/** Returns the status of each payment in a list's answer. */
const worth = (status: PaymentStatus) => 100_00 + paymentStatuses.indexOf(status);
const worthOf = (statuses: readonly PaymentStatus[]) => statuses.map(worth).sort();

const query = (text: string, values: unknown[]) => kit.services.db.pool.query(text, values);

async function moveBatch(id: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses)
    await query("UPDATE batches SET status = $3 WHERE company_id = $1 AND id = $2", [auroraId, id, status]);
}

/** Replaces the batch's only payment with one in each status; its counters are those that the books check expects. */
async function fill(batchId: string, statuses: readonly PaymentStatus[], barcodes?: readonly string[]) {
  const { rows } = await query(
    `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = 'transfers' AND is_generated = 'NEVER'`,
    [],
  );
  for (const [position, status] of statuses.entries())
    await query(
      `INSERT INTO transfers (${rows[0].names})
       SELECT ${rows[0].names} FROM (SELECT (jsonb_populate_record(t, jsonb_build_object('id', $3::uuid, 'status', $4::text,
         'value', $5::bigint, 'position', $6::int, 'barcode', $7::text, 'integration_id', NULL))).*
       FROM transfers t WHERE t.company_id = $1 AND t.batch_id = $2 LIMIT 1) copied`,
      [auroraId, batchId, randomUUID(), status, worth(status), position + 1_000, barcodes?.[position]],
    );
  await query("DELETE FROM transfers WHERE company_id = $1 AND batch_id = $2 AND position < 1000", [
    auroraId,
    batchId,
  ]);
  await query(
    `UPDATE batches b SET payments_count = t.payments, paid_count = t.paid, failed_count = t.failed, returned_count = t.returned
     FROM (SELECT count(*) AS payments, count(*) FILTER (WHERE status IN ('TRANSFERRED', 'FINISHED')) AS paid,
       count(*) FILTER (WHERE status = 'FAILED') AS failed, count(*) FILTER (WHERE status = 'RETURNED') AS returned
       FROM transfers WHERE company_id = $1 AND batch_id = $2) t WHERE b.company_id = $1 AND b.id = $2`,
    [auroraId, batchId],
  );
}

const barcodes = paymentStatuses.map((status) => barcodeOf(worth(status)));
const barcodeFor = (status: PaymentStatus) => barcodes[paymentStatuses.indexOf(status)] as string;
/** Two drafts of the same boleto would be an error. */
const ownBarcode = (status: PaymentStatus) =>
  status === "CREATED" ? barcodeOf(worth(status)) : barcodeFor(status);

beforeAll(async () => {
  kit = await openPayments({ start: "2026-10-20T13:00:00Z" });
  transferBatches = [];
  boletoBatches = [];
  for (const batches of [transferBatches, boletoBatches]) {
    const isBoletos = batches === boletoBatches;
    for (const [statuses, steps] of [
      [sent, ["PENDING", "RECEIVED"]],
      [["CREATED"], []],
      [["CREATED"], ["VALIDATING"]],
    ] as const) {
      const { id } = isBoletos
        ? await boletoDraft(kit.admin, [boletoOf(1_00)])
        : await draft(kit.admin, [pix(1_00, { integration_id: null })]);
      await moveBatch(id, ...steps);
      await fill(id, statuses, isBoletos ? statuses.map(ownBarcode) : undefined);
      batches.push(id);
    }
  }
});
afterAll(async () => {
  // The books check ignores rows without money.
  for (const table of ["transfers", "batches"])
    await query(`DELETE FROM ${table} WHERE company_id = $1`, [auroraId]);
  await kit.close();
});

async function transfersBy(status: TransferPageFilter) {
  const all = await kit.admin.call(listAllTransfers, { query: { ...period, page: "0", status } });
  const ofBatches = await Promise.all(
    transferBatches.map((id) => kit.admin.call(listTransfers, { params: { id }, query: { status } })),
  );
  const rows = (answer: { body: { data: Transfer[] } }) => answer.body.data;
  return { all, overAll: rows(all), ofBatches: ofBatches.flatMap(rows) };
}

async function boletosBy(status: BoletoPageFilter) {
  const all = await kit.admin.call(listAllBoletos, { query: { ...period, page: "0", status } });
  const ofBatches = await Promise.all(
    boletoBatches.map((id) => kit.admin.call(listBoletos, { params: { id }, query: { status } })),
  );
  const rows = (answer: { body: { data: Boleto[] } }) => answer.body.data;
  return { all, overAll: rows(all), ofBatches: ofBatches.flatMap(rows) };
}

const created = ["CREATED", "CREATED"] as const;
const underWay = ["RECEIVED", "EXECUTING", "EM_REMESSA", "FAILED_INTERNAL"] as const;
const arrived = ["TRANSFERRED", "FINISHED"] as const;
const returned = ["BEING_RETURNED", "RETURNED", "REQUESTED_REFUND"] as const;

it("TRF-009 lists each status under one filter, the same in a batch and over all batches", async () => {
  const lists: Record<TransferPageFilter, readonly PaymentStatus[]> = {
    CREATED: created,
    SCHEDULED: ["SCHEDULED"],
    RECEIVED: underWay,
    TRANSFERRED: arrived,
    FAILED: ["FAILED"],
    RETURNED: returned,
  };
  for (const filter of transferPageFilters) {
    const { all, overAll, ofBatches } = await transfersBy(filter);
    const values = (rows: Transfer[]) => rows.map(({ value }) => value).sort();
    expect([filter, values(overAll)]).toEqual([filter, worthOf(lists[filter])]);
    expect([filter, values(ofBatches)]).toEqual([filter, worthOf(lists[filter])]);
    expect(all.body.metadata.pagination.totalItems).toBe(lists[filter].length);
  }
  expect(new Set(Object.values(lists).flat())).toEqual(new Set(paymentStatuses));
});

it("TRF-018 changes the value of a payment in no status after 'Criada', also where it may be corrected", async () => {
  const [id = ""] = transferBatches;
  const fetchRows = async (): Promise<Transfer[]> =>
    (await kit.admin.call(listTransfers, { params: { id } })).body.data;
  const rows = await fetchRows();
  const answers = await Promise.all(
    rows.map(async ({ id: tid, status }) => {
      const { body } = await kit.admin.call(changeTransfer, { params: { id, tid }, body: pix(1_00) });
      return [status, body.code];
    }),
  );
  const refusal = (status: PaymentStatus) =>
    status === "FAILED" ? "transfer_value_fixed" : "transfer_not_editable";
  expect(Object.fromEntries(answers)).toEqual(
    Object.fromEntries(sent.map((status) => [status, refusal(status)])),
  );
  expect((await fetchRows()).map(({ value }) => value)).toEqual(rows.map(({ value }) => value));
});

it("BIL-004 BIL-005 lists each boleto under the name that it is shown by", async () => {
  const lists: Record<BoletoPageFilter, readonly PaymentStatus[]> = {
    CREATED: created,
    SCHEDULED: ["SCHEDULED"],
    EXECUTING: underWay,
    PAID: arrived,
    FAILED: ["FAILED"],
    RETURNED: returned,
  };
  for (const filter of boletoPageFilters) {
    const { all, overAll, ofBatches } = await boletosBy(filter);
    const values = (rows: Boleto[]) => rows.map(({ value }) => value).sort();
    expect([filter, values(overAll)]).toEqual([filter, worthOf(lists[filter])]);
    expect([filter, values(ofBatches)]).toEqual([filter, worthOf(lists[filter])]);
    expect(all.body.metadata.pagination.totalItems).toBe(lists[filter].length);
    const shown = new Set(overAll.map(({ status }) => status));
    expect(shown).toEqual(new Set(lists[filter].map(boletoStatusOf)));
  }
});

it("BIL-013 accepts the code of a boleto again if it was refused or its money was returned, but not while it is being returned", async () => {
  for (const status of sent) {
    const { body } = await kit.admin.call(readDuplicatedBoleto, { query: { barcode: barcodeFor(status) } });
    expect([status, body.isDuplicated]).toEqual([status, status !== "FAILED" && status !== "RETURNED"]);
  }
  const { id } = await boletoDraft(
    kit.admin,
    sent.map((status) => boletoOf(worth(status), { barcode: barcodeFor(status) })),
  );
  const taken = (await fetchBoletos(kit.admin, id)).filter(({ errors }) => errors.length === 0);
  expect(taken.map(({ value }) => value).sort()).toEqual(worthOf(["FAILED", "RETURNED"]));
  await query("DELETE FROM batches WHERE company_id = $1 AND id = $2", [auroraId, id]);
});

it("warns of a repeated payment, also while the first is being returned", async () => {
  // The draft's own payments are not compared, and returned ones count as never made.
  const { id } = await draft(
    kit.admin,
    paymentStatuses.map((status) => pix(worth(status), { integration_id: null })),
  );
  const { data }: { data: Check[] } = (await kit.admin.call(readBatchChecks, { params: { id } })).body;
  const found = data.find(({ kind }) => kind === "same_payment")?.findings ?? [];
  const values = found.map(({ payment }) => payment.value).sort();
  expect(values).toEqual(worthOf(sent.filter((status) => status !== "RETURNED")));
});
