/** Who acts on events. A feature declares its subscribers in its `feature.ts`. */
import { type EventType, eventCatalogue, type PayloadOf } from "@malote/contracts/events";
import { sql } from "kysely";
import type * as z from "zod";
import type { Tx } from "../db/database.ts";
import type { Services } from "../services.ts";

export type StoredEvent<T extends EventType = EventType> = {
  [K in T]: { position: number; id: string; type: K; objectId: string; payload: PayloadOf<K>; at: Date };
}[T];

export interface Subscriber<T extends EventType = EventType> {
  /** Fixed for ever: its cursors are kept under it. */
  name: string;
  on: readonly T[];
  /**
   * Events of one company in the order of their positions. Runs in one transaction with the cursor: its writes
   * through `tx` happen once. It calls nothing outside; it enqueues jobs that do.
   */
  handle(tx: Tx, events: readonly StoredEvent<T>[], services: Services): Promise<unknown>;
}

/** Keeps the types of the named events, which a list of subscribers would lose. */
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
 * The content of a row of the log, validated by the schema of its type, which reads every version up to its own: events
 * that waited through an upgrade are handled after it. A later version comes from a process of the next release, which
 * handles it when it is tried again.
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

/** Called before this process emits anything: a new subscriber takes part from now on. */
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
