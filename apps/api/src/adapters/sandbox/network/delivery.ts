/** Delivers events to the product in the order in which they happened, at least once, each company separately. */
import type { Clock } from "../../../platform/clock.ts";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import { reachFailPoint } from "../../../platform/fail-points.ts";
import type { Log } from "../../../platform/log.ts";
import { sandboxAdapter } from "../../../ports/adapter-choice.ts";
import type { EventHandler, Origin, RailEvent } from "../../../ports/rails.ts";
import { happens } from "./chance.ts";
import { readSettings } from "./settings.ts";
import { type DueEvent, listDueEvents, lockDelivery, markDelivered, postponeDelivery } from "./store.ts";

const blockMax = 500;
const origin: Origin = { connection: sandboxAdapter, feed: "webhook" };

/**
 * Delivers all due events and returns how many were acknowledged. The transaction holds the delivery lock while the
 * handler runs: if the process dies, the lock ends with its connection and another process delivers again.
 */
export async function deliverDue(
  db: DatabaseWithSandbox,
  clock: Clock,
  log: Log,
  handler: EventHandler,
): Promise<number> {
  let received = 0;
  for (;;) {
    const block = await deliverBlock(db, clock, log, handler);
    received += block.received;
    if (block.received > 0) reachFailPoint("after-event-acknowledged");
    if (block.size < blockMax) return received;
  }
}

function deliverBlock(db: DatabaseWithSandbox, clock: Clock, log: Log, handler: EventHandler) {
  return db.withSandbox(async (tx) => {
    await lockDelivery(tx);
    const now = clock.now();
    const due = await listDueEvents(tx, now, blockMax);
    if (due.length === 0) return { size: 0, received: 0 };
    const { duplicate_percent } = await readSettings(tx);

    const received: string[] = [];
    const refused: string[] = [];
    for (const events of Map.groupBy(due, (event) => event.party).values()) {
      const ids = events.map((event) => event.id);
      try {
        await handToProduct(handler, events, duplicate_percent);
        received.push(...ids);
      } catch (error) {
        log.warn(
          { err: error, events: ids.length },
          "the sandbox network got no acknowledgement and will deliver duplicates",
        );
        refused.push(...ids);
      }
    }
    if (received.length > 0) {
      reachFailPoint("before-event-acknowledged");
      await markDelivered(tx, received, now);
    }
    if (refused.length > 0) await postponeDelivery(tx, refused, now);
    return { size: due.length, received: received.length };
  });
}

/**
 * Hands events to the product. Delivers some of them twice, half of those within one call and half in a second call, as
 * real networks do.
 */
async function handToProduct(
  handler: EventHandler,
  events: readonly DueEvent[],
  duplicatePercent: number,
): Promise<void> {
  const once = events.map((event) => event.payload);
  const duplicates = once.filter((event) => happens(duplicatePercent, `twice ${event.id}`));
  const inSameCall = (event: RailEvent) => happens(50, `same call ${event.id}`);
  await handler([...once, ...duplicates.filter(inSameCall)], origin);
  const later = duplicates.filter((event) => !inSameCall(event));
  if (later.length > 0) await handler(later, origin);
}
