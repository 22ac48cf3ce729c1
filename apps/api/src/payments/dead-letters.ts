/** Events that could not be applied: stored as received, counted for monitoring, and logged. */
import { createHash } from "node:crypto";
import { Gauge } from "prom-client";
import type { Tx } from "../platform/db/database.ts";
import { metrics } from "../platform/http/metrics.ts";
import type { Services } from "../platform/services.ts";
import type { PayinEvent } from "../ports/charges.ts";
import type { Origin, PaymentEvent, PixReceived, ReferredEvent } from "../ports/rails.ts";
import {
  countOpenDeadLetters,
  deleteDeadLetter,
  insertConflictingEvent,
  insertFailedEvent,
  insertUnreadableEvent,
} from "./dead-letter-store.ts";

export const deadLetterEvents = new Gauge({
  name: "malote_rail_dead_letters",
  help: "Events of the payment network kept as dead letters",
  registers: [metrics],
});

type AppliedEvent = PaymentEvent | PayinEvent | PixReceived;
/** Payload of a dead letter; early versions may have stored only an id. */
type KeptEvent = AppliedEvent | ReferredEvent | { id: string };
type Needs = Pick<Services, "db" | "clock" | "log">;

const payloadMax = 20_000;

/** Stores an event that fails validation. */
export async function storeUnreadableEvent(
  { db, clock, log }: Needs,
  received: unknown,
  why: string,
  origin: Origin,
): Promise<void> {
  const payload = String(JSON.stringify(received)).slice(0, payloadMax);
  const id = createHash("sha256").update(payload).digest("hex");
  await db.withSystem((tx) => insertUnreadableEvent(tx, { id, detail: why, payload }, origin, clock.now()));
  log.error({ event: id, why }, "an event that fails validation was stored as a dead letter");
}

/**
 * Stores a readable event whose application failed, and retries it after 1 minute, then 2, 4 … up to an hour. A closed
 * dead letter reopens when the network reports the event again (`reopens`), but not after a retry of our own.
 */
export async function storeFailedEvent(
  { db, clock, log }: Needs,
  event: KeptEvent,
  error: Error,
  origin: Origin,
  { reopens = true } = {},
): Promise<void> {
  // A Pix names a key but no company, and the failure may be that its company is unknown.
  const companyId = "companyId" in event ? event.companyId : null;
  const stored = { id: event.id, detail: error.message, payload: JSON.stringify(event), companyId };
  await db.withSystem((tx) => insertFailedEvent(tx, stored, origin, { now: clock.now(), reopens }));
  log.error({ err: error, company: companyId, event: event.id }, "an event was stored as a dead letter");
}

/**
 * Stores a report that contradicts the rows here, or that repeats an id with other content (`changed`). Changes nothing
 * else, because either side may be wrong.
 */
export async function storeConflictingEvent(
  tx: Tx,
  { clock, log }: Pick<Needs, "clock" | "log">,
  { event, detail, why }: { event: AppliedEvent; detail: string; why: "contradiction" | "changed" },
  origin: Origin,
): Promise<void> {
  const stored = { id: event.id, detail, payload: JSON.stringify(event), why };
  await insertConflictingEvent(tx, stored, origin, clock.now());
  log.error(
    { company: tx.companyId, event: event.id, why, detail },
    "an event that contradicts a known outcome was stored as a dead letter",
  );
}

/** Deletes an open dead letter after its event was applied; one that the operator closed during the retry is kept. */
export async function resolveDeadLetter({ db, log }: Needs, id: string): Promise<void> {
  await db.withSystem((tx) => deleteDeadLetter(tx, id));
  log.warn({ deadLetter: id }, "a dead letter was applied");
}

/** Updates the number of open dead letters on the metrics page. */
export async function countDeadLetters({ db }: Needs): Promise<void> {
  deadLetterEvents.set(await db.withSystem(countOpenDeadLetters));
}
