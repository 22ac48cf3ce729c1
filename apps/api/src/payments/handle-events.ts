/**
 * Applies the network's reports. A block is applied at once; a failing block is halved until the failing event is
 * alone. That event becomes a dead letter for a person to review and delays no other.
 */

import { Counter } from "prom-client";
import {
  applyPayinEvent,
  findCompanyOfDeposit,
  isReceivedElsewhere,
  receiveDeposit,
} from "../payins/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { isUnavailable } from "../platform/db/unavailable.ts";
import { metrics } from "../platform/http/metrics.ts";
import type { Services } from "../platform/services.ts";
import type { PayinEvent } from "../ports/charges.ts";
import { isUnreadable } from "../ports/connection.ts";
import {
  isPaymentEvent,
  type Origin,
  type PaymentEvent,
  type PixReceived,
  type RailEvent,
  type RailReport,
  railEvent,
} from "../ports/rails.ts";
import { applyPaymentEvents } from "./apply-payment-events.ts";
import { claimDueDeadLetters, reserveDeadLetter } from "./dead-letter-store.ts";
import {
  resolveDeadLetter,
  storeConflictingEvent,
  storeFailedEvent,
  storeUnreadableEvent,
} from "./dead-letters.ts";
import { findCompanyThatHas, insertNewEvents } from "./inbox-store.ts";
import { resolveReferences } from "./resolve-references.ts";

const railEventsApplied = new Counter({
  name: "malote_rail_events_total",
  help: "Events of the payment network applied",
  labelNames: ["kind"],
  registers: [metrics],
});

/** The default origin: a call of the installation's own network. */
const defaultOrigin = ({ rails }: Services): Origin => ({ connection: rails.id, feed: "webhook" });

export async function handleEvents(
  services: Services,
  received: readonly RailReport[],
  origin: Origin = defaultOrigin(services),
): Promise<void> {
  // The network redelivers events that could not be stored; they do not delay the others.
  const failures: Error[] = [];
  const keep = (error: Error) => void failures.push(error);
  for (const { unreadable, why } of received.filter(isUnreadable))
    await storeUnreadableEvent(services, unreadable, why, origin).catch(keep);
  const readable = received.filter((one) => !isUnreadable(one));
  const { events: found, unresolved } = await resolveReferences(services, origin, readable);
  for (const { event, why } of unresolved)
    await storeFailedEvent(services, event, new Error(why), origin).catch(keep);
  const events: RailEvent[] = [];
  for (const one of found) {
    const read = railEvent.safeParse(one);
    if (read.success) events.push(read.data);
    else await storeUnreadableEvent(services, one, read.error.message, origin).catch(keep);
  }
  const storeFailed: OnFailure = (event, error) => storeFailedEvent(services, event, error, origin);
  failures.push(...(await applyEvents(services, events, origin, storeFailed)));
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map((error) => error.message).join("; "));
  for (const event of events) railEventsApplied.inc({ kind: event.kind });
}

type OnFailure = (event: RailEvent, error: Error) => Promise<void>;

/**
 * Applies events and passes those that cannot be applied to `onFailure`. Returns the errors of the others, which were
 * neither applied nor passed on.
 */
async function applyEvents(
  services: Services,
  events: readonly RailEvent[],
  origin: Origin,
  onFailure: OnFailure,
): Promise<Error[]> {
  const failures: Error[] = [];
  const keep = (error: Error) => void failures.push(error);
  const payments = events.filter(isPaymentEvent);
  for (const [companyId, own] of Map.groupBy(payments, (event) => event.companyId))
    await applyInHalves(services, companyId, own, origin, onFailure).catch(keep);
  // Deposits come first, because the same report may block or return them.
  const deposits = events.filter((event) => event.kind === "pix_received");
  for (const event of deposits) await applyAlone(services, event, origin, onFailure).catch(keep);
  for (const event of events) {
    if (isPaymentEvent(event) || event.kind === "pix_received") continue;
    await applyAlone(services, event, origin, onFailure).catch(keep);
  }
  return failures;
}

async function applyInHalves(
  services: Services,
  companyId: string,
  events: readonly PaymentEvent[],
  origin: Origin,
  onFailure: OnFailure,
): Promise<void> {
  try {
    await services.db.withCompany(companyId, (tx) => applyPaymentEvents(tx, events, services, origin));
  } catch (error) {
    // The database is unavailable and the events are fine: the network gets an error and redelivers them.
    if (isUnavailable(error)) throw error;
    const [first] = events;
    if (first && events.length === 1) return onFailure(first, error as Error);
    const middle = Math.ceil(events.length / 2);
    await applyInHalves(services, companyId, events.slice(0, middle), origin, onFailure);
    await applyInHalves(services, companyId, events.slice(middle), origin, onFailure);
  }
}

async function applyAlone(
  services: Services,
  event: PayinEvent | PixReceived,
  origin: Origin,
  onFailure: OnFailure,
): Promise<void> {
  try {
    await applyPayin(services, event, origin);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    await onFailure(event, error as Error);
  }
}

async function applyPayin(
  services: Services,
  event: PayinEvent | PixReceived,
  origin: Origin,
): Promise<void> {
  try {
    await findCompanyAndApply(services, event, origin);
  } catch (error) {
    if (!isReceivedElsewhere(error)) throw error;
    // Another company received it after the lookup above; a second lookup finds that company.
    if (event.kind === "pix_received") return findCompanyAndApply(services, event, origin);
    const contradiction = "another company received the payment with this id";
    await applyAt(services, event.companyId, event, origin, async () => contradiction);
  }
}

async function findCompanyAndApply(
  services: Services,
  event: PayinEvent | PixReceived,
  origin: Origin,
): Promise<void> {
  if (event.kind === "pix_received") {
    const companyId = await services.db.withSystem(
      async (tx) => (await findCompanyThatHas(tx, origin, event)) ?? (await findCompanyOfDeposit(tx, event)),
    );
    await applyAt(services, companyId, event, origin, (tx) => receiveDeposit(tx, services, event));
  } else
    await applyAt(services, event.companyId, event, origin, (tx) => applyPayinEvent(tx, services, event));
}

/** Applies an event in its company's transaction; `apply` returns what contradicts the rows here. */
async function applyAt(
  services: Services,
  companyId: string,
  event: PayinEvent | PixReceived,
  origin: Origin,
  apply: (tx: Tx) => Promise<string | undefined>,
): Promise<void> {
  await services.db.withCompany(companyId, async (tx) => {
    const { fresh, changed } = await insertNewEvents(tx, origin, [event], services.clock.now());
    for (const one of changed) await storeConflictingEvent(tx, services, { ...one, why: "changed" }, origin);
    if (fresh.length === 0) return;
    const detail = await apply(tx);
    if (detail) await storeConflictingEvent(tx, services, { event, detail, why: "contradiction" }, origin);
  });
}

/** Retries due dead letters on schedule: their cause may be corrected, or their order known by then. */
export async function retryDeadLetters(services: Services): Promise<void> {
  const { db, clock } = services;
  const due = await db.withSystem((tx) => claimDueDeadLetters(tx, clock.now()));
  for (const { id, payload, ...origin } of due) {
    if (!(await db.withSystem((tx) => reserveDeadLetter(tx, id, clock.now())))) continue;
    const event: { id: string } = JSON.parse(payload);
    await applyKept(services, event, origin).then(
      () => resolveDeadLetter(services, id),
      (error: Error) => {
        if (isUnavailable(error)) throw error;
        return storeFailedEvent(services, event, error, origin, { reopens: false });
      },
    );
  }
}

/** Applies the event of a dead letter; throws the error of its failure. */
async function applyKept(services: Services, kept: unknown, origin: Origin): Promise<void> {
  const { events: found, unresolved } = await resolveReferences(services, origin, [kept]);
  for (const { why } of unresolved) throw new Error(why);
  const events = found.map((one) => railEvent.parse(one));
  const [failure] = await applyEvents(services, events, origin, async (_event, error) => {
    throw error;
  });
  if (failure) throw failure;
}
