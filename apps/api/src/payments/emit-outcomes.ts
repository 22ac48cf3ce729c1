/** Effects of moved payments: events, jobs of other features, and the batches that end. */
import { listAdminIds } from "../identities/index.ts";
import { type MovedPayment, settleBatch } from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { emit, emitEach } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { settleMicroDeposits } from "../validation/index.ts";
import type { Moved } from "./outcomes.ts";

export async function emitOutcomes(
  tx: Tx,
  { jobs }: Pick<Services, "jobs">,
  moved: Moved,
  { by, now }: { by: "network" | "operator" | "system"; now: Date },
): Promise<void> {
  const { ofBatches, singles, finalIds } = moved;
  const outcomeOf = ({ batch_id: batchId, value: amount }: MovedPayment) => ({ batchId, amount, by });
  const singlesBack = [...singles.undone, ...singles.returned];
  const isWithdrawal = ({ type }: { type: string }) => type === "WITHDRAWAL";
  const isMicroDeposit = ({ type }: { type: string }) => type === "MICRO_DEPOSIT";
  for (const { id, value: amount, reason } of singlesBack.filter(isWithdrawal)) {
    const payload = { admins: await listAdminIds(tx), amount, reason };
    await emit(tx, { now }, { type: "withdrawal.returned", objectId: id, payload });
  }
  await settleMicroDeposits(
    tx,
    { arrived: singles.arrived.filter(isMicroDeposit), back: singlesBack.filter(isMicroDeposit) },
    now,
  );
  // Returned money is available again and may pay a waiting batch.
  if (singlesBack.length + ofBatches.returned.length > 0)
    await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  await emitEach(
    tx,
    { now },
    "payment.settled",
    ofBatches.arrived.map((one) => ({
      objectId: one.id,
      payload: { ...outcomeOf(one), ...(finalIds.has(one.id) && { isFinal: true as const }) },
    })),
  );
  await emitEach(
    tx,
    { now },
    "payment.finished",
    ofBatches.finished.map((one) => ({ objectId: one.id, payload: outcomeOf(one) })),
  );
  await emitEach(
    tx,
    { now },
    "payment.failed",
    ofBatches.failed.map((one) => ({
      objectId: one.id,
      payload: { ...outcomeOf(one), reason: one.reason },
    })),
  );
  // Includes single payments: one that never left has no other event for it.
  await emitEach(
    tx,
    { now },
    "payment.returned",
    [...singles.undone, ...ofBatches.returned, ...singles.returned].map((one) => ({
      objectId: one.id,
      payload: { ...outcomeOf(one), reason: one.reason },
    })),
  );
  await settleBatches(tx, moved, now);
}

/** Adds the outcomes to the counters of each batch; a batch whose payments all have an outcome emits its end. */
async function settleBatches(tx: Tx, { batchIds, ofBatches, singles }: Moved, now: Date): Promise<void> {
  for (const batchId of batchIds) {
    const inBatch = (list: readonly MovedPayment[]) => list.filter((one) => one.batch_id === batchId);
    const failed = inBatch(ofBatches.failed);
    const neverLeft = inBatch(singles.undone);
    const arrived = inBatch([...ofBatches.arrived, ...singles.arrived]);
    const cameBack = inBatch([...ofBatches.returned, ...singles.returned]);
    if (arrived.length + failed.length + neverLeft.length + cameBack.length === 0) continue;
    // A returned payment had arrived: one call takes the batch through the same two steps as two calls.
    const isSettled = await settleBatch(
      tx,
      batchId,
      {
        paid: arrived.length,
        failed: failed.length,
        returned: neverLeft.length,
        returnedValue: sum(neverLeft),
        reserved: -sum(arrived) - sum(neverLeft),
      },
      now,
    );
    const isOfSystem = inBatch([...singles.arrived, ...singles.undone, ...singles.returned]).length > 0;
    if (isSettled && !isOfSystem)
      await emit(tx, { now }, { type: "batch.settled", objectId: batchId, payload: {} });
    if (cameBack.length === 0) continue;
    await settleBatch(
      tx,
      batchId,
      { paid: -cameBack.length, returned: cameBack.length, returnedValue: sum(cameBack) },
      now,
    );
  }
}

const sum = (list: readonly MovedPayment[]) => list.reduce((total, one) => total + one.value, 0);
