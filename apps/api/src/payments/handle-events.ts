/**
 * What the network reports. A block is applied at once; one that does not go through is taken in halves until the event
 * that is in the way is alone. That one is kept as a dead letter for a person to look at, and holds nobody up.
 */

import { applyPayinEvent, receiveDeposit } from "../payins/index.ts";
import { isUnavailable } from "../platform/db/unavailable.ts";
import { railEventsApplied } from "../platform/http/metrics.ts";
import type { Parts } from "../platform/parts.ts";
import type { PayinEvent } from "../ports/charges.ts";
import {
  isPaymentEvent,
  type PaymentEvent,
  type PixReceived,
  type RailEvent,
  railEvent,
} from "../ports/rails.ts";
import { applyPaymentEvents } from "./apply-payment-events.ts";
import {
  dueDeadLetters,
  keepConflictingEvent,
  keepFailedEvent,
  keepUnreadableEvent,
  resolveDeadLetter,
} from "./dead-letter-events.ts";

export async function handleEvents(parts: Parts, received: readonly RailEvent[]): Promise<void> {
  const events: RailEvent[] = [];
  // What cannot be kept is delivered again by the network and does not hold up what can.
  const failures: Error[] = [];
  const keep = (error: Error) => void failures.push(error);
  for (const one of received) {
    const read = railEvent.safeParse(one);
    if (read.success) events.push(read.data);
    else await keepUnreadableEvent(parts, one, read.error.message).catch(keep);
  }
  const payments = events.filter(isPaymentEvent);
  for (const [companyId, own] of Map.groupBy(payments, (event) => event.companyId)) {
    await applyOrHalve(parts, companyId, own).catch(keep);
  }
  // Money first: a block or a return of it may be in the same reporting.
  const deposits = events.filter((event) => event.kind === "pix_received");
  for (const event of deposits) await applyOrKeep(parts, event).catch(keep);
  for (const event of events) {
    if (isPaymentEvent(event) || event.kind === "pix_received") continue;
    await applyOrKeep(parts, event).catch(keep);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map((error) => error.message).join("; "));
  for (const event of events) railEventsApplied.inc({ kind: event.kind });
}

async function applyOrHalve(parts: Parts, companyId: string, events: readonly PaymentEvent[]): Promise<void> {
  try {
    await parts.db.withCompany(companyId, (tx) => applyPaymentEvents(tx, events, parts));
  } catch (error) {
    // Nothing is wrong with the events, only with the moment: the network is informed so, and delivers them again.
    if (isUnavailable(error)) throw error;
    const [first] = events;
    if (first && events.length === 1) return keepFailedEvent(parts, first, error as Error);
    const middle = Math.ceil(events.length / 2);
    await applyOrHalve(parts, companyId, events.slice(0, middle));
    await applyOrHalve(parts, companyId, events.slice(middle));
  }
}

async function applyOrKeep(parts: Parts, event: PayinEvent | PixReceived): Promise<void> {
  try {
    await applyPayin(parts, event);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await keepFailedEvent(parts, event, error as Error);
  }
}

async function applyPayin(parts: Parts, event: PayinEvent | PixReceived): Promise<void> {
  if (event.kind === "pix_received") return receiveDeposit(parts, event);
  await parts.db.withCompany(event.companyId, async (tx) => {
    const contradiction = await applyPayinEvent(tx, parts, event);
    if (contradiction) await keepConflictingEvent(tx, parts, event, contradiction);
  });
}

/** Clock-driven: what could not be applied may go through since its cause was corrected. */
export async function retryDeadLetters(parts: Parts): Promise<void> {
  for (const { id, event } of await dueDeadLetters(parts)) {
    const applied = isPaymentEvent(event)
      ? parts.db.withCompany(event.companyId, (tx) => applyPaymentEvents(tx, [event], parts))
      : applyPayin(parts, event);
    await applied.then(
      () => resolveDeadLetter(parts, id),
      (error: Error) => {
        if (isUnavailable(error)) throw error;
        return keepFailedEvent(parts, event, error);
      },
    );
  }
}
