/**
 * News of one company's payments, applied once each, whatever the order or the number of deliveries. An event that
 * implies an earlier one (came back, so it had arrived) applies both.
 */
import { type TransferStatus, transferTransitions } from "@malote/domain/transfer-status";
import { statusesBefore } from "@malote/domain/transitions";
import { adminIds } from "../company/index.ts";
import { countMoved } from "../indicators/index.ts";
import { type Movement, post } from "../ledger/index.ts";
import { giveLimitsBack } from "../limits/index.ts";
import {
  giveTokensBack,
  lockBatch,
  payeeOf,
  type SystemBatchType,
  settleBatch,
  systemBatchTypeOf,
} from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { emit, emitEach } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { connectionOf } from "../ports/connections.ts";
import type { Origin, PaymentEvent } from "../ports/rails.ts";
import { settleMicroDeposits } from "../validation/index.ts";
import { keepConflictingEvent, keepConflictingEvents } from "./dead-letter-events.ts";
import { remember } from "./inbox.ts";
import { batchesOf, correctArrival, type MovedTransfer, moveByOutcome, type Outcome } from "./store.ts";

export async function applyPaymentEvents(
  tx: Tx,
  received: readonly PaymentEvent[],
  services: Pick<Services, "clock" | "config" | "jobs" | "log" | "rails" | "connections">,
  origin: Origin,
): Promise<void> {
  const { clock, jobs, log } = services;
  const connection = connectionOf(services, origin.connection);
  if (!connection) throw new Error(`no connection is called ${origin.connection}`);
  const over = { connection: connection.id, main: services.rails.id };
  const move = (
    list: readonly Outcome[],
    from: readonly TransferStatus[],
    to: Parameters<typeof moveByOutcome>[3],
  ) => moveByOutcome(tx, list, from, to, { ...over, ...connection.timing });
  const now = clock.now();
  const { fresh: events, changed } = await remember(tx, origin, received, now);
  for (const one of changed) await keepConflictingEvent(tx, services, { ...one, why: "changed" }, origin);
  if (events.length === 0) return;
  // Batches first and in order of id, as every other action does.
  const batchIds = await batchesOf(
    tx,
    events.map((event) => event.endToEndId),
  );
  const systemBatches = new Map<string, SystemBatchType>();
  for (const id of batchIds) {
    const batch = await lockBatch(tx, id);
    const type = batch && systemBatchTypeOf(batch);
    if (type) systemBatches.set(id, type);
  }

  const outcomes = (kind: PaymentEvent["kind"], final?: boolean): Outcome[] =>
    events
      .filter(
        (event) =>
          event.kind === kind && (final === undefined || ("final" in event && event.final === final)),
      )
      .map((event) => ({
        endToEndId: event.endToEndId,
        at: event.at,
        value: event.value ?? null,
        reason: "reason" in event ? event.reason : null,
        returnCode: ("authorizationCode" in event && event.authorizationCode) || null,
      }));

  // What has no outcome yet can still arrive.
  const underWay = statusesBefore<TransferStatus>(transferTransitions, "TRANSFERRED");
  // Money that arrived for good, money that arrived, and money that came back and so had arrived.
  const arrivedForGood = [
    ...(await move(outcomes("settled", true), underWay, "FINISHED")),
    ...(await move(outcomes("finished"), underWay, "FINISHED")),
  ];
  const paid = [
    ...arrivedForGood,
    ...(await move(outcomes("settled", false), underWay, "TRANSFERRED")),
    ...(await move(outcomes("returned"), underWay, "TRANSFERRED")),
  ];
  const finished = await move(outcomes("finished"), ["TRANSFERRED"], "FINISHED");
  const failed = await move(outcomes("failed"), underWay, "FAILED");
  const isA = (type: SystemBatchType) => (one: MovedTransfer) => systemBatches.get(one.batch_id) === type;
  // Nobody corrects a single payment that failed: its money goes back to the balance at once.
  const failedSingles = new Set(
    failed.filter(({ batch_id }) => systemBatches.has(batch_id)).map((one) => one.end_to_end_id),
  );
  const undone = await move(
    outcomes("failed").filter((outcome) => failedSingles.has(outcome.endToEndId)),
    ["FAILED"],
    "RETURNED",
  );
  const returned = await move(outcomes("returned"), ["TRANSFERRED", "FINISHED"], "RETURNED");

  const corrected = await correctArrival(tx, outcomes("settled"), over);

  await giveLimitsBack(tx, { ids: undone.map(({ id }) => id) });
  const posted = await post(tx, now, [
    ...paid.map(paymentOf),
    ...undone.map((one) => singlePaymentRefund(one, "reserved", systemBatches.get(one.batch_id))),
    ...returned.map((one) =>
      systemBatches.has(one.batch_id)
        ? singlePaymentRefund(one, "payouts", systemBatches.get(one.batch_id))
        : returnOf(one),
    ),
  ]);
  if (!posted) throw new Error("a batch's reservation does not cover what the network paid");
  await giveTokensBack(tx, paid.filter(({ payment_method }) => payment_method === "PIX").length);
  for (const { event_id, detail } of await keepConflictingEvents(tx, events, now, over)) {
    log.error({ company: tx.companyId, event: event_id, detail }, "the network contradicts what is known");
  }
  const back = [...undone, ...returned];
  for (const { id, value: amount, reason } of back.filter(isA("WITHDRAWAL")))
    await emit(
      tx,
      { now },
      {
        type: "withdrawal.returned",
        objectId: id,
        payload: { admins: await adminIds(tx), amount, reason },
      },
    );
  await settleMicroDeposits(
    tx,
    { arrived: paid.filter(isA("MICRO_DEPOSIT")), back: back.filter(isA("MICRO_DEPOSIT")) },
    now,
  );
  // What came back is on the balance and may pay a batch that waits.
  if (returned.length + undone.length > 0)
    await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  const ofBatches = (list: MovedTransfer[]) => list.filter(({ batch_id }) => !systemBatches.has(batch_id));
  const final = new Set(arrivedForGood.map(({ id }) => id));
  await emitEach(
    tx,
    { now },
    "payment.settled",
    ofBatches(paid).map((one) => ({
      objectId: one.id,
      payload: { ...outcomeOf(one), ...(final.has(one.id) && { isFinal: true as const }) },
    })),
  );
  await emitEach(
    tx,
    { now },
    "payment.finished",
    ofBatches(finished).map((one) => ({ objectId: one.id, payload: outcomeOf(one) })),
  );
  await emitEach(
    tx,
    { now },
    "payment.failed",
    ofBatches(failed).map((one) => ({
      objectId: one.id,
      payload: { ...outcomeOf(one), reason: one.reason, by: "network" as const },
    })),
  );
  // Also of payments alone: those that never left have no other word of it.
  await emitEach(
    tx,
    { now },
    "payment.returned",
    back.map((one) => ({ objectId: one.id, payload: { ...outcomeOf(one), reason: one.reason } })),
  );
  const sum = (list: MovedTransfer[]) => list.reduce((total, one) => total + one.value, 0);
  for (const batchId of batchIds) {
    const ofBatch = (list: MovedTransfer[]) => list.filter((one) => one.batch_id === batchId);
    const arrived = ofBatch(paid);
    const neverLeft = ofBatch(undone);
    const refused = ofBatch(failed).length - neverLeft.length;
    const cameBack = ofBatch(returned);
    if (arrived.length + refused + neverLeft.length + cameBack.length === 0) continue;
    // What came back had arrived: in one call the batch takes the same two steps as in two.
    const isSettled = await settleBatch(
      tx,
      batchId,
      {
        paid: arrived.length,
        failed: refused,
        returned: neverLeft.length,
        returnedValue: sum(neverLeft),
        reserved: -sum(arrived) - sum(neverLeft),
      },
      now,
    );
    if (isSettled && !systemBatches.has(batchId))
      await emit(tx, { now }, { type: "batch.settled", objectId: batchId, payload: {} });
    if (cameBack.length === 0) continue;
    await settleBatch(
      tx,
      batchId,
      { paid: -cameBack.length, returned: cameBack.length, returnedValue: sum(cameBack) },
      now,
    );
  }
  // A single payment belongs to no batch that people made, and the indicators do not count it.
  await countMoved(
    tx,
    [...paid, ...finished, ...failed, ...returned, ...corrected].filter(
      ({ batch_id }) => !systemBatches.has(batch_id),
    ),
  );
}

const outcomeOf = ({ batch_id: batchId, value: amount }: MovedTransfer) => ({ batchId, amount });

const paymentOf = (transfer: MovedTransfer): Movement => ({
  type: "PAYMENT",
  cause: `paid:${transfer.end_to_end_id}`,
  from: "reserved",
  to: "payouts",
  amount: transfer.value,
  description: "Pagamento",
  complement: { batch_id: transfer.batch_id, transfer_id: transfer.id },
});

const returnOf = (transfer: MovedTransfer): Movement => ({
  type: "REFUND",
  cause: `returned:${transfer.end_to_end_id}`,
  from: "payouts",
  to: "available",
  amount: transfer.value,
  description: `Devolução: ${transfer.reason ?? "devolvido pelo banco do recebedor"}`,
  complement: {
    batch_id: transfer.batch_id,
    transfer_id: transfer.id,
    isTed: transfer.payment_method === "TED",
    ...payeeOf(transfer.name),
  },
});

const refundDescriptions: Readonly<Record<SystemBatchType, Record<"reserved" | "payouts", string>>> = {
  WITHDRAWAL: { reserved: "Resgate não realizado", payouts: "Devolução do resgate" },
  MICRO_DEPOSIT: { reserved: "Microdepósito não realizado", payouts: "Devolução do microdepósito" },
};

/** The money of a single payment, on the balance again: reserved and never sent, or sent and returned. No batch opens from it. */
function singlePaymentRefund(
  transfer: MovedTransfer,
  from: "reserved" | "payouts",
  type: SystemBatchType | undefined,
): Movement {
  if (!type) throw new Error(`payment ${transfer.id} of a batch was given back as a single payment`);
  return {
    type: "REFUND",
    cause: `returned:${transfer.end_to_end_id}`,
    from,
    to: "available",
    amount: transfer.value,
    description: `${refundDescriptions[type][from]}: ${transfer.reason ?? "devolvido pelo banco de destino"}`,
    complement: { transfer_id: transfer.id, isTed: transfer.payment_method === "TED" },
  };
}
