/** Subscribers of events. A feature declares them in its `feature.ts`. */
import { type EventType, eventCatalogue, type PayloadOf } from "@malote/contracts/events";
import { sql } from "kysely";
import type * as z from "zod";
import type { Tx } from "../db/database.ts";
import type { Services } from "../services.ts";

export type StoredEvent<T extends EventType = EventType> = {
  [K in T]: { position: number; id: string; type: K; objectId: string; payload: PayloadOf<K>; at: Date };
}[T];

export interface Subscriber<T extends EventType = EventType> {
  /** Name of the subscriber. It never changes, because cursors are stored under it. */
  name: string;
  on: readonly T[];
  /**
   * Handles events of one company in the order of their positions. Runs in the transaction of the cursor, so that its
   * writes through `tx` happen once. It calls no external service; it enqueues jobs that do.
   */
  handle(tx: Tx, events: readonly StoredEvent<T>[], services: Services): Promise<unknown>;
}

/** Declares a subscriber and keeps the types of its events, which a list of subscribers would lose. */
export const subscriber = <const T extends EventType>(declared: Subscriber<T>): Subscriber =>
  declared as unknown as Subscriber;

export interface LogRow {
  position: number;
  id: string;
  type: string;
  version: number;
  object_kind: string;
  object_id: string;
  payload: unknown;
  at: Date;
}

type Catalogue = Readonly<Record<string, { version: number; payload: z.ZodObject }>>;

/**
 * Reads a row of the log and validates its content by the schema of its type, which accepts every version up to the
 * current one, so that events can wait through an upgrade. A later version comes from a process of the next release,
 * which handles it on a retry.
 */
export function readEvent(row: LogRow, catalogue: Catalogue = eventCatalogue): StoredEvent {
  const known = catalogue[row.type];
  if (!known || row.version > known.version)
    throw new Error(`no version ${row.version} of the event ${row.type} is known here`);
  const { position, id, object_id: objectId, at } = row;
  return {
    position,
    id,
    type: row.type,
    objectId,
    payload: known.payload.parse(row.payload),
    at,
  } as StoredEvent;
}

/**
 * Registers subscribers. Call it before this process emits events: a new subscriber receives events from this point on.
 */
export async function registerSubscribers(
  { db, clock }: Pick<Services, "db" | "clock">,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const names = subscribers.map(({ name }) => name);
  await db.withSystem((tx) =>
    sql`
      INSERT INTO event_subscribers (name, since, since_at)
      SELECT name, position, ${clock.now()} FROM unnest(${names}::text[]) AS s (name) CROSS JOIN event_relay
      ON CONFLICT (name) DO NOTHING
    `.execute(tx),
  );
}
