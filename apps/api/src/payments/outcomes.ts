/** Turns the network's events into status changes: which payments moved, and to which status. */
import { type PaymentStatus, paymentTransitions } from "@malote/domain/payment-status";
import { statusesBefore } from "@malote/domain/transitions";
import type { MovedCount } from "../indicators/index.ts";
import {
  type ConnectionScope,
  correctArrival,
  listBatchIds,
  lockBatch,
  type MovedPayment,
  moveByOutcome,
  type Outcome,
  type SystemBatchType,
  systemBatchTypeOf,
} from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { PaymentEvent, RailTiming } from "../ports/rails.ts";

/** The only payment of a system batch: a withdrawal or a micro deposit. */
export type SinglePayment = MovedPayment & { type: SystemBatchType };

interface Steps<Payment> {
  /** Payments whose money arrived, final or not. */
  arrived: Payment[];
  /** Payments that had arrived and became final. */
  finished: Payment[];
  failed: Payment[];
  /** Payments that had arrived and came back. */
  returned: Payment[];
}

export interface Moved {
  /** Batches of all payments, in the order of their locks. */
  batchIds: readonly string[];
  /** Payments of batches that people made. */
  ofBatches: Steps<MovedPayment> & {
    /** Payments whose day of arrival changed after they were counted. */
    corrected: (MovedCount & { batch_id: string })[];
  };
  /**
   * Payments of system batches. `undone` ones failed and became RETURNED at once: a single payment is never corrected.
   */
  singles: Steps<SinglePayment> & { undone: SinglePayment[] };
  /** Paid payments whose arrival is final. */
  finalIds: ReadonlySet<string>;
}

/** Locks the batches of the events and moves their payments; the events may come in any order. */
export async function moveByEvents(
  tx: Tx,
  events: readonly PaymentEvent[],
  over: ConnectionScope & Pick<RailTiming, "finishedWithinMs">,
): Promise<Moved> {
  // Batches are locked first and in order of id, as in every other action.
  const batchIds = await listBatchIds(
    tx,
    events.map((event) => event.endToEndId),
  );
  const systemBatches = new Map<string, SystemBatchType>();
  for (const id of batchIds) {
    const batch = await lockBatch(tx, id);
    const type = batch && systemBatchTypeOf(batch);
    if (type) systemBatches.set(id, type);
  }
  const move = (
    list: readonly Outcome[],
    from: readonly PaymentStatus[],
    to: Parameters<typeof moveByOutcome>[3],
  ) => moveByOutcome(tx, list, from, to, over);
  const isOfBatch = ({ batch_id }: { batch_id: string }) => !systemBatches.has(batch_id);
  const singlesOf = (list: readonly MovedPayment[]) =>
    list.flatMap((one) => {
      const type = systemBatches.get(one.batch_id);
      return type ? [{ ...one, type }] : [];
    });

  // A payment without an outcome can still arrive.
  const underWay = statusesBefore<PaymentStatus>(paymentTransitions, "TRANSFERRED");
  // In order: money that arrived for good, money that arrived, and money that came back and therefore had arrived.
  const arrivedForGood = [
    ...(await move(outcomesOf(events, "settled", true), underWay, "FINISHED")),
    ...(await move(outcomesOf(events, "finished"), underWay, "FINISHED")),
  ];
  const arrived = [
    ...arrivedForGood,
    ...(await move(outcomesOf(events, "settled", false), underWay, "TRANSFERRED")),
    ...(await move(outcomesOf(events, "returned"), underWay, "TRANSFERRED")),
  ];
  const finished = await move(outcomesOf(events, "finished"), ["TRANSFERRED"], "FINISHED");
  const failed = await move(outcomesOf(events, "failed"), underWay, "FAILED");
  const failedSingles = new Set(singlesOf(failed).map((one) => one.end_to_end_id));
  const undone = await move(
    outcomesOf(events, "failed").filter((outcome) => failedSingles.has(outcome.endToEndId)),
    ["FAILED"],
    "RETURNED",
  );
  const returned = await move(outcomesOf(events, "returned"), ["TRANSFERRED", "FINISHED"], "RETURNED");
  const corrected = await correctArrival(tx, outcomesOf(events, "settled"), over);
  return {
    batchIds,
    ofBatches: {
      arrived: arrived.filter(isOfBatch),
      finished: finished.filter(isOfBatch),
      failed: failed.filter(isOfBatch),
      returned: returned.filter(isOfBatch),
      corrected: corrected.filter(isOfBatch),
    },
    singles: {
      arrived: singlesOf(arrived),
      finished: singlesOf(finished),
      failed: singlesOf(failed),
      returned: singlesOf(returned),
      undone: singlesOf(undone),
    },
    finalIds: new Set(arrivedForGood.map(({ id }) => id)),
  };
}

const outcomesOf = (
  events: readonly PaymentEvent[],
  kind: PaymentEvent["kind"],
  final?: boolean,
): Outcome[] =>
  events
    .filter(
      (event) => event.kind === kind && (final === undefined || ("final" in event && event.final === final)),
    )
    .map((event) => ({
      endToEndId: event.endToEndId,
      at: event.at,
      value: event.value ?? null,
      reason: "reason" in event ? event.reason : null,
      returnCode: ("authorizationCode" in event && event.authorizationCode) || null,
    }));
