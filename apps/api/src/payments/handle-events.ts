/**
 * What the network reports. A block is applied at once; one that does not go through is taken in halves until the event
 * that is in the way is alone. That one is kept as a dead letter for a person to look at, and holds nobody up.
 */

import { applyPayinEvent, receiveDeposit } from "../payins/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { isUnavailable } from "../platform/db/unavailable.ts";
import { railEventsApplied } from "../platform/http/metrics.ts";
import type { Parts } from "../platform/parts.ts";
import type { PayinEvent } from "../ports/charges.ts";
import {
  isPaymentEvent,
  type Origin,
  type PaymentEvent,
  type PixReceived,
  type RailEvent,
  type ReferredEvent,
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
import { remember, resolve } from "./inbox.ts";

/** Where nothing else is said, the installation's own network called. */
const itsOwn = ({ rails }: Parts): Origin => ({ connection: rails.id, feed: "webhook" });

export async function handleEvents(
  parts: Parts,
  received: readonly (RailEvent | ReferredEvent)[],
  origin: Origin = itsOwn(parts),
): Promise<void> {
  // What cannot be kept is delivered again by the network and does not hold up what can.
  const failures: Error[] = [];
  const keep = (error: Error) => void failures.push(error);
  const { events: found, unresolved } = await resolve(parts, origin, received);
  for (const { event, why } of unresolved)
    await keepFailedEvent(parts, event, new Error(why), origin).catch(keep);
  const events: RailEvent[] = [];
  for (const one of found) {
    const read = railEvent.safeParse(one);
    if (read.success) events.push(read.data);
    else await keepUnreadableEvent(parts, one, read.error.message, origin).catch(keep);
  }
  const payments = events.filter(isPaymentEvent);
  for (const [companyId, own] of Map.groupBy(payments, (event) => event.companyId)) {
    await applyOrHalve(parts, companyId, own, origin).catch(keep);
  }
  // Money first: a block or a return of it may be in the same reporting.
  const deposits = events.filter((event) => event.kind === "pix_received");
  for (const event of deposits) await applyOrKeep(parts, event, origin).catch(keep);
  for (const event of events) {
    if (isPaymentEvent(event) || event.kind === "pix_received") continue;
    await applyOrKeep(parts, event, origin).catch(keep);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map((error) => error.message).join("; "));
  for (const event of events) railEventsApplied.inc({ kind: event.kind });
}

async function applyOrHalve(
  parts: Parts,
  companyId: string,
  events: readonly PaymentEvent[],
  origin: Origin,
): Promise<void> {
  try {
    await parts.db.withCompany(companyId, (tx) => applyPaymentEvents(tx, events, parts, origin));
  } catch (error) {
    // Nothing is wrong with the events, only with the moment: the network is informed so, and delivers them again.
    if (isUnavailable(error)) throw error;
    const [first] = events;
    if (first && events.length === 1) return keepFailedEvent(parts, first, error as Error, origin);
    const middle = Math.ceil(events.length / 2);
    await applyOrHalve(parts, companyId, events.slice(0, middle), origin);
    await applyOrHalve(parts, companyId, events.slice(middle), origin);
  }
}

async function applyOrKeep(parts: Parts, event: PayinEvent | PixReceived, origin: Origin): Promise<void> {
  try {
    await applyPayin(parts, event, origin);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await keepFailedEvent(parts, event, error as Error, origin);
  }
}

async function applyPayin(parts: Parts, event: PayinEvent | PixReceived, origin: Origin): Promise<void> {
  const isNew = async (tx: Tx) => (await remember(tx, origin, [event], parts.clock.now())).length > 0;
  if (event.kind === "pix_received") return receiveDeposit(parts, event, isNew);
  await parts.db.withCompany(event.companyId, async (tx) => {
    if (!(await isNew(tx))) return;
    const contradiction = await applyPayinEvent(tx, parts, event);
    if (contradiction) await keepConflictingEvent(tx, parts, event, contradiction, origin);
  });
}

/** Clock-driven: what could not be applied may go through since its cause was corrected, or since its order is known. */
export async function retryDeadLetters(parts: Parts): Promise<void> {
  for (const { id, connection, event } of await dueDeadLetters(parts)) {
    const origin: Origin = { connection, feed: "webhook" };
    await apply(parts, event, origin).then(
      () => resolveDeadLetter(parts, id),
      (error: Error) => {
        if (isUnavailable(error)) throw error;
        return keepFailedEvent(parts, event, error, origin);
      },
    );
  }
}

async function apply(parts: Parts, kept: RailEvent | ReferredEvent, origin: Origin): Promise<void> {
  const { events, unresolved } = await resolve(parts, origin, [kept]);
  for (const { why } of unresolved) throw new Error(why);
  for (const event of events.map((one) => railEvent.parse(one))) {
    if (!isPaymentEvent(event)) await applyPayin(parts, event, origin);
    else await parts.db.withCompany(event.companyId, (tx) => applyPaymentEvents(tx, [event], parts, origin));
  }
}
