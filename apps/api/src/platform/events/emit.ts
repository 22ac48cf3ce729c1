/**
 * Emits events in the transaction of the change, so that an event exists exactly when its change does. The emitter
 * holds the lock of the object's row, so an object's events are in the order of its changes.
 */
import { type EventActor, type EventType, eventCatalogue, type PayloadOf } from "@malote/contracts/events";
import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { wakeRelays } from "./wake.ts";

export type NewEvent = { [T in EventType]: { type: T; objectId: string; payload: PayloadOf<T> } }[EventType];

export interface Emission {
  now: Date;
  /** Id of the call or message that caused the event, for tracing. */
  cause?: string | undefined;
}

/** Returns time and cause of the events that a call emits. */
export const emissionOf = ({ now, requestId }: { now: Date; requestId?: string | undefined }): Emission => ({
  now,
  ...(requestId !== undefined && { cause: `request:${requestId}` }),
});

/** Returns the caller as an event stores it. */
export const eventActorOf = ({ kind, id, name }: EventActor): EventActor => ({ kind, id, name });

export async function emit(tx: Tx, { now, cause }: Emission, event: NewEvent): Promise<void> {
  const { object, version, payload } = eventCatalogue[event.type];
  await sql`
    INSERT INTO outbox (company_id, type, version, object_kind, object_id, payload, cause, at)
    VALUES (${tx.companyId}, ${event.type}, ${version}, ${object}, ${event.objectId},
      ${JSON.stringify(payload.parse(event.payload))}::jsonb, ${cause ?? null}, ${now})
  `.execute(tx);
  tx.afterCommit(wakeRelays);
}

/** Emits one event of this type for each of `events`, in a single statement. */
export async function emitEach<T extends EventType>(
  tx: Tx,
  { now, cause }: Emission,
  type: T,
  events: readonly { objectId: string; payload: PayloadOf<T> }[],
): Promise<void> {
  if (events.length === 0) return;
  const { object, version, payload } = eventCatalogue[type];
  const rows = events.map((one) => ({ objectId: one.objectId, payload: payload.parse(one.payload) }));
  await sql`
    INSERT INTO outbox (company_id, type, version, object_kind, object_id, payload, cause, at)
    SELECT ${tx.companyId}::uuid, ${type}::text, ${version}::smallint, ${object}::text, e."objectId", e.payload,
      ${cause ?? null}::text, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e ("objectId" uuid, payload jsonb)
  `.execute(tx);
  tx.afterCommit(wakeRelays);
}
