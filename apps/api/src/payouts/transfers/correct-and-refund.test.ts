/** After a failure the payment is corrected and resent, or its money returns to the balance. */
import { randomUUID } from "node:crypto";
import { readBatchSummary, readHasFailed } from "@malote/contracts/batches";
import { lookUpPixKey } from "@malote/contracts/lookups";
import { changeTransfer, listFailedOfReceiver, refundTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { handleEvents } from "../../payments/index.ts";
import { fetchFailures, resendChosen } from "../../testing/failures-kit.ts";
import { blockDocument } from "../../testing/operator-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatement,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const statuses = (id: string) => fetchStatuses(kit.admin, id);
const fetchTransfers = async (id: string) => (await batch(kit.admin, id)).transfers;

const badKey = (value: number, ending = "15") =>
  pix(value, {
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: `chave.pix${ending}@exemplo.com.br` },
  });

async function failedBatch(
  transfers = [badKey(10_00), badKey(20_00), badKey(30_00, "25"), pix(40_00)],
  deposit = 100_00,
) {
  const id = await paidFor(kit, transfers, deposit);
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
  return { id, transfers: await fetchTransfers(id) };
}
const give = (by: PaymentsKit["admin"], id: string, tid: string, key: string = randomUUID()) =>
  by.call(refundTransfer, { params: { id, tid } }, { "idempotency-key": key });
const correct = (by: PaymentsKit["admin"], id: string, tid: string, body: object) =>
  by.call(changeTransfer, { params: { id, tid }, body });

it("TRF-033 TRF-045 refuses a correction by an analyst or another company, of the value, with errors, or of a payment that did not fail", async () => {
  const { id, transfers } = await failedBatch();
  const tid = transfers[0].id;
  const bare = await kit.call(changeTransfer, { params: { id, tid }, body: pix(10_00) });
  expect(bare.status).toBe(401);
  expect((await correct(kit.analyst, id, tid, pix(10_00))).status).toBe(403);
  expect((await correct(kit.stranger, id, tid, pix(10_00))).body.code).toBe("not_found");
  expect((await correct(kit.admin, randomUUID(), tid, pix(10_00))).body.code).toBe("not_found");
  expect((await correct(kit.admin, id, tid, pix(10_01))).body.code).toBe("transfer_value_fixed");
  const wrong = pix(10_00, { destination_bank_account: { pix_key_type: "EMAIL", pix_key: "sem arroba" } });
  expect((await correct(kit.admin, id, tid, wrong)).body).toMatchObject({
    code: "transfer_invalid",
    message: "Transferência inválida",
  });
  expect((await correct(kit.admin, id, transfers[3].id, pix(40_00))).body.code).toBe("transfer_not_editable");
  expect(await statuses(id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
});

it("TRF-030 TRF-045 refuses a correction to a key that a blocked document holds, or to a blocked document, in the call itself", async () => {
  const { id, transfers } = await failedBatch([badKey(10_00), badKey(20_00), badKey(30_00)]);
  const [first, second, third] = transfers;
  const key = "joao@exemplo.com.br";
  const body = { pix_key_type: "EMAIL", pix_key: key } as const;
  expect((await kit.admin.call(lookUpPixKey, { body })).status).toBe(200);
  const { rows } = await kit.services.db.pool.query("SELECT pix_key, holder_tax_id FROM key_lookups");
  await blockDocument(kit.services, rows.find((row) => row.pix_key === key).holder_tax_id);
  const toKey = (value: number, destination: object) => pix(value, { destination_bank_account: destination });
  const held = await correct(kit.admin, id, first.id, toKey(10_00, { name: "João Lima", ...body }));
  expect(held).toMatchObject({
    status: 422,
    body: { code: "transfer_invalid", data: { errors: [{ code: "tax_id_blocked", field: "pix_key" }] } },
  });
  await blockDocument(kit.services, "52998224725");
  const toDocument = {
    name: "João Lima",
    pix_key_type: "CPF",
    pix_key: "52998224725",
    cpf_cnpj: "52998224725",
  };
  const named = await correct(kit.admin, id, second.id, toKey(20_00, toDocument));
  expect(named).toMatchObject({ status: 422, body: { data: { errors: [{ code: "tax_id_blocked" }] } } });

  // A resend as it is, after its key was blocked: the list and the answer show the reason.
  const asItIs = { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } as const;
  await kit.admin.call(lookUpPixKey, { body: asItIs });
  await kit.services.db.pool.query(
    `INSERT INTO key_lookups (company_id, pix_key, key_type, outcome, holder_name, holder_tax_id, asked_by_name, asked_at)
     VALUES ($1, $2, 'EMAIL', 'found', 'João Lima', '52998224725', 'Helena Prado', $3)
     ON CONFLICT (company_id, pix_key) DO UPDATE SET outcome = 'found', holder_tax_id = '52998224725'`,
    [auroraId, asItIs.pix_key, kit.clock.now()],
  );
  const again = await resendChosen(kit.admin, id, [third.id]);
  expect(again.body.data).toEqual([{ id: third.id, outcome: "refused", reason: "CPF ou CNPJ bloqueado" }]);
  expect((await fetchFailures(kit.admin, id)).data[2]?.retry_problem).toBe("CPF ou CNPJ bloqueado");
  expect(await statuses(id)).toEqual(["FAILED", "FAILED", "FAILED"]);
});

it("TRF-018 TRF-045 resends a corrected payment as a new order with the reserved money", async () => {
  const { id, transfers } = await failedBatch();
  const before = transfers[0];
  // A correction has no date of its own.
  const answer = await correct(kit.admin, id, before.id, pix(10_00, { payment_date: "2026-08-20" }));
  expect(answer.body).toMatchObject({
    status: "RECEIVED",
    status_description: null,
    value: 10_00,
    payment_date: null,
  });
  // The same correction is sent again while the first is under way.
  expect((await correct(kit.admin, id, before.id, pix(10_00))).body.code).toBe("transfer_not_editable");
  await kit.drainJobs();
  // The network reports the failure of the first order again, which no longer matters.
  await handleEvents(kit.services, [
    {
      id: "again",
      kind: "failed",
      endToEndId: before.end_to_end_id,
      companyId: auroraId,
      at: kit.clock.now().toISOString(),
      reason: "velha",
    },
  ]);
  await kit.pass({ seconds: 1 });
  const [after] = await fetchTransfers(id);
  expect(after).toMatchObject({ status: "FINISHED", status_description: null });
  expect(after.end_to_end_id).not.toBe(before.end_to_end_id);
  expect(await batch(kit.admin, id)).toMatchObject({ status: "RECEIVED", paid_count: 2, failed_count: 2 });
  expect(await fetchBalance(kit.admin)).toBe(0);
});

it("TRF-045 corrects a Pix into a TED after the cut-off, which is sent on the next business day", async () => {
  const { id, transfers } = await failedBatch();
  kit.clock.set("2026-08-12T21:00:00Z");
  expect((await correct(kit.admin, id, transfers[0].id, ted(10_00))).body).toMatchObject({
    status: "SCHEDULED",
    payment_method: "TED",
  });
  await kit.passUntil("2026-08-13T09:30:00Z");
  await kit.pass({ minutes: 4 });
  expect((await statuses(id))[0]).toBe("TRANSFERRED");
});

it("TRF-046 refuses a return without a token, permission, key, or a failed payment", async () => {
  const { id, transfers } = await failedBatch();
  const tid = transfers[0].id;
  expect((await kit.call(refundTransfer, { params: { id, tid } })).status).toBe(401);
  expect((await give(kit.analyst, id, tid)).status).toBe(403);
  expect((await give(kit.stranger, id, tid)).body.code).toBe("not_found");
  expect((await kit.admin.call(refundTransfer, { params: { id, tid } })).body.code).toBe(
    "not_acceptable_key",
  );
  expect((await give(kit.admin, randomUUID(), tid)).body.code).toBe("not_found");
  expect((await give(kit.admin, id, transfers[3].id)).body.code).toBe("transfer_not_failed");
  expect(await fetchBalance(kit.admin)).toBe(0);
});

it("BAT-022 BAT-026 BAT-082 TRF-003 TRF-047 returns every failed payment of the same receiver, each as a REFUND, and no other", async () => {
  const { id, transfers } = await failedBatch();
  const receiver = transfers[0].destination_bank_account.id;
  const listed = await kit.analyst.call(listFailedOfReceiver, { params: { id, dbaId: receiver } });
  expect(listed.body.data.map((t) => t.id)).toEqual([transfers[0].id, transfers[1].id]);
  const returned = async () => (await kit.analyst.call(readBatchSummary, { params: { id } })).body.returned;
  expect(await returned()).toBe(0);
  const answer = await give(kit.admin, id, transfers[1].id);
  expect(await returned()).toBe(30_00);
  const { id: tid, end_to_end_id: order } = transfers[1];
  expect(answer.body).toMatchObject({
    status: "RETURNED",
    refunds: [
      { id: tid, amount: 20_00, settled_at: kit.clock.now().toISOString(), authorization_code: order },
    ],
  });
  expect(order).toMatch(/^E\d/);
  expect(await statuses(id)).toEqual(["RETURNED", "RETURNED", "FAILED", "FINISHED"]);
  const listedAfter = await kit.analyst.call(listFailedOfReceiver, { params: { id, dbaId: receiver } });
  expect(listedAfter.body.data).toEqual([]);
  expect(await fetchBalance(kit.admin)).toBe(30_00);
  const entries = (await fetchStatement(kit.admin)).entries;
  expect(
    entries
      .slice(0, 2)
      .map((e) => [e.type, e.value])
      .sort(),
  ).toEqual([
    ["REFUND", 10_00],
    ["REFUND", 20_00],
  ]);
  expect(await batch(kit.admin, id)).toMatchObject({
    status: "RECEIVED",
    returned_count: 2,
    failed_count: 1,
  });
  await give(kit.admin, id, transfers[2].id);
  expect(await returned()).toBe(60_00);
  expect(await batch(kit.admin, id)).toMatchObject({
    status: "FINISHED",
    returned_count: 3,
    failed_count: 0,
  });
  expect((await kit.analyst.call(readHasFailed, { params: { id } })).body.data).toBe(true);
});

it("TRF-047 returns nothing of the same receiver in another batch", async () => {
  const one = await failedBatch([badKey(10_00)]);
  const other = await failedBatch([badKey(20_00)]);
  const dbaId = one.transfers[0].destination_bank_account.id;
  expect(other.transfers[0].destination_bank_account.id).toBe(dbaId);
  const listed = await kit.analyst.call(listFailedOfReceiver, { params: { id: one.id, dbaId } });
  expect(listed.body.data.map(({ value }) => value)).toEqual([10_00]);
  const before = await fetchBalance(kit.admin);
  await give(kit.admin, one.id, one.transfers[0].id);
  expect([await statuses(one.id), await statuses(other.id)]).toEqual([["RETURNED"], ["FAILED"]]);
  expect(await fetchBalance(kit.admin)).toBe(before + 10_00);
});

it("BAT-082 TRF-047 neither lists nor returns payments that the same receiver got", async () => {
  const id = await paidFor(kit, [pix(10_00), pix(20_00)], 30_00);
  await kit.drainJobs();
  const [failed, arrived] = await fetchTransfers(id);
  expect(failed.destination_bank_account.id).toBe(arrived.destination_bank_account.id);
  const common = { companyId: auroraId, at: kit.clock.now().toISOString() };
  await handleEvents(kit.services, [
    { ...common, id: "f", kind: "failed", endToEndId: failed.end_to_end_id, reason: "Conta bloqueada." },
    { ...common, id: "s", kind: "settled", endToEndId: arrived.end_to_end_id, final: true },
  ]);
  const dbaId = failed.destination_bank_account.id;
  const listed = await kit.analyst.call(listFailedOfReceiver, { params: { id, dbaId } });
  expect(listed.body.data.map((one) => one.id)).toEqual([failed.id]);
  expect((await give(kit.admin, id, failed.id)).body).toMatchObject({ refunds: [{ amount: 10_00 }] });
  expect(await statuses(id)).toEqual(["RETURNED", "FINISHED"]);
  expect(await fetchBalance(kit.admin)).toBe(10_00);
  expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 1, returned_count: 1 });
});

it("TRF-046 repeats the same bytes to the same request and returns nothing twice, also for sixteen concurrent calls", async () => {
  const { id, transfers } = await failedBatch();
  const first = await give(kit.admin, id, transfers[0].id, "one");
  const again = await give(kit.admin, id, transfers[0].id, "one");
  expect(again.body).toEqual(first.body);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect((await give(kit.admin, id, transfers[2].id, "one")).body.code).toBe("idempotency_key_reused");
  const answers = await Promise.all(Array.from({ length: 16 }, () => give(kit.admin, id, transfers[2].id)));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(await fetchBalance(kit.admin)).toBe(60_00);
});

it("TRF-046 lets exactly one of a concurrent correction and return win", async () => {
  const { id, transfers } = await failedBatch();
  for (const { id: tid, value } of transfers.slice(1, 3)) {
    const [given, corrected] = await Promise.all([
      give(kit.admin, id, tid),
      correct(kit.admin, id, tid, pix(value)),
    ]);
    expect([given.status, corrected.status].sort()).toEqual([200, 409]);
  }
});

it("BAT-001 BAT-006 BAT-026 shows a batch without a paid payment as returned", async () => {
  const { id, transfers } = await failedBatch([badKey(100_00)]);
  await give(kit.admin, id, transfers[0].id);
  expect((await kit.analyst.call(readHasFailed, { params: { id } })).body.data).toBe(true);
  expect(await batch(kit.admin, id)).toMatchObject({
    status: "RETURNED",
    failed_count: 0,
    returned_count: 1,
    has_failed_or_returned_transfers: true,
  });
  expect((await batch(kit.admin, id)).returned_date).not.toBeNull();
});

it("TRF-046 releases the waiting batch with returned money", async () => {
  const { id, transfers } = await failedBatch([badKey(100_00)]);
  const waiting = await draft(kit.admin, [pix(60_00)]);
  expect((await closing(kit.admin, waiting.id)).body.is_batch_paid).toBe(false);
  await give(kit.admin, id, transfers[0].id);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  expect(await batch(kit.admin, waiting.id)).toMatchObject({ status: "FINISHED" });
  expect(await fetchBalance(kit.admin)).toBe(40_00);
});
