/**
 * Applies reports about one company's payments, each once, in any order and with any number of deliveries. An event
 * that implies an earlier one (a return implies an arrival) applies both.
 */
import { countMoved } from "../indicators/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { connectionOf } from "../ports/connections.ts";
import type { Origin, PaymentEvent } from "../ports/rails.ts";
import { insertContradictions } from "./dead-letter-store.ts";
import { storeConflictingEvent } from "./dead-letters.ts";
import { emitOutcomes } from "./emit-outcomes.ts";
import { insertNewEvents } from "./inbox-store.ts";
import { moveByEvents } from "./outcomes.ts";
import { postOutcomes } from "./post-outcomes.ts";

/** Actor recorded for an outcome that the network did not report, by feed. */
const outcomeReporters: Partial<Record<Origin["feed"], "operator" | "system">> = {
  operator: "operator",
  own: "system",
};

export async function applyPaymentEvents(
  tx: Tx,
  received: readonly PaymentEvent[],
  services: Pick<Services, "clock" | "config" | "jobs" | "log" | "rails" | "connections">,
  origin: Origin,
): Promise<void> {
  const connection = connectionOf(services, origin.connection);
  // An operator's outcome may name a connection that is no longer configured: the operator asked that network directly.
  if (!connection && origin.feed !== "operator")
    throw new Error(`no connection has the id ${origin.connection}`);
  const { timing } = connection ?? services.rails;
  const over = { connection: origin.connection, main: services.rails.id };
  const now = services.clock.now();
  const { fresh: events, changed } = await insertNewEvents(tx, origin, received, now);
  for (const one of changed) await storeConflictingEvent(tx, services, { ...one, why: "changed" }, origin);
  if (events.length === 0) return;

  const moved = await moveByEvents(tx, events, { ...over, ...timing });
  await postOutcomes(tx, moved, now);
  for (const { event_id, detail } of await insertContradictions(tx, events, now, over)) {
    services.log.error(
      { company: tx.companyId, event: event_id, detail },
      "an event of the network contradicts a known outcome",
    );
  }
  const by = outcomeReporters[origin.feed] ?? "network";
  await emitOutcomes(tx, services, moved, { by, now });
  // The indicators do not count single payments: they belong to no batch that people made.
  const { arrived, finished, failed, returned, corrected } = moved.ofBatches;
  await countMoved(tx, [...arrived, ...finished, ...failed, ...returned, ...corrected]);
}
