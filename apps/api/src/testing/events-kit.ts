/** Events on a separate database, with subscribers whose effects are rows. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { deliverOnce } from "../platform/events/deliver.ts";
import { emit } from "../platform/events/emit.ts";
import {
  registerSubscribers,
  type StoredEvent,
  type Subscriber,
  subscriber,
} from "../platform/events/subscriber.ts";
import { buildTestApp, type TestApp } from "./app.ts";

export const aurora = "01990000-0000-7000-8000-00000000a001";
export const horizonte = "01990000-0000-7000-8000-00000000b001";

export interface EventsKit {
  app: TestApp;
  /** Emits settled payments of one batch, one after another in one transaction. */
  settle(objectIds: readonly string[], companyId?: string): Promise<void>;
  /** Creates a subscriber that follows its instructions and then writes a row for each event. */
  recorder(name: string, before?: (event: StoredEvent) => void): Promise<Subscriber>;
  /** Runs the relay and these subscribers once. */
  deliver(...subscribers: Subscriber[]): Promise<void>;
  /** Returns a subscriber's effects in their order: `object amount`. */
  effects(name: string, companyId?: string): Promise<string[]>;
  deadLetters(): Promise<{ position: number; object_id: string; tries: number; dead: boolean }[]>;
}

export async function openEvents(): Promise<EventsKit> {
  const app = await buildTestApp();
  const { db } = app.services;
  await db.pool.query(`
    CREATE TABLE effects (n bigserial, company_id uuid, subscriber text, object_id uuid, amount bigint);
    SELECT protect_company_table('effects', 'SELECT, INSERT');
    GRANT USAGE ON SEQUENCE effects_n_seq TO malote_app;
  `);
  let amount = 0;
  return {
    app,
    settle: (objectIds, companyId = aurora) =>
      db.withCompany(companyId, async (tx) => {
        for (const objectId of objectIds) await emitSettled(tx, objectId, ++amount);
      }),
    async recorder(name, before = () => undefined) {
      const recorder = subscriber({
        name,
        on: ["payment.settled"],
        async handle(tx, events) {
          for (const event of events) before(event);
          await sql`
            INSERT INTO effects (company_id, subscriber, object_id, amount)
            SELECT ${tx.companyId}::uuid, ${name}::text, e.id, e.amount FROM unnest(
              ${events.map(({ objectId }) => objectId)}::uuid[],
              ${events.map(({ payload }) => payload.amount)}::bigint[]) AS e (id, amount)
          `.execute(tx);
        },
      });
      await registerSubscribers(app.services, [recorder]);
      return recorder;
    },
    async deliver(...subscribers) {
      await deliverOnce(app.services, subscribers);
    },
    async effects(name, companyId = aurora) {
      const { rows } = await db.pool.query(
        "SELECT object_id || ' ' || amount AS effect FROM effects WHERE subscriber = $1 AND company_id = $2 ORDER BY n",
        [name, companyId],
      );
      return rows.map(({ effect }) => effect);
    },
    async deadLetters() {
      const { rows } = await db.pool.query(
        "SELECT position, object_id, tries, dead_at IS NOT NULL AS dead FROM event_dead_letters ORDER BY position",
      );
      return rows;
    },
  };
}

const batchId = randomUUID();

export const emitSettled = (tx: Tx, objectId: string, amount: number): Promise<void> =>
  emit(
    tx,
    { now: new Date("2026-08-12T13:00:00Z") },
    { type: "payment.settled", objectId, payload: { batchId, amount } },
  );
