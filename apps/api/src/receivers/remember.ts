/** Saves the receivers of a batch, with the outcome of their last payment (decision 0014). */
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";
import { rememberReceivers } from "./remember-store.ts";

type Remembered = StoredEvent<
  "batch.released" | "batch.cancelled" | "batch.settled" | "payment.settled" | "payment.failed"
>;

/** Subscriber that saves the receivers of each batch once, whatever the number of its events. */
export async function saveReceiversOfEvents(
  tx: Tx,
  events: readonly Remembered[],
  { clock }: Pick<Services, "clock">,
): Promise<void> {
  const now = clock.now();
  const batches = Map.groupBy(events, (event) =>
    "batchId" in event.payload ? event.payload.batchId : event.objectId,
  );
  for (const [batchId, ofBatch] of batches) {
    const payments = ofBatch.filter(({ type }) => type === "payment.settled" || type === "payment.failed");
    const isWhole = payments.length < ofBatch.length;
    await rememberReceivers(
      tx,
      { batchId, ...(!isWhole && { paymentIds: payments.map(({ objectId }) => objectId) }) },
      now,
    );
  }
}
