/**
 * Hands events to a subscriber. Effect and cursor commit together, so an event has its effect once, even when a process
 * dies. An event that fails becomes a dead letter, together with the later ones of its object; all others continue.
 */
import type { Tx } from "../db/database.ts";
import { isUnavailable } from "../db/unavailable.ts";
import type { Services } from "../services.ts";
import { listCompaniesBehind, listNextRows, lockCursor, moveCursor } from "./cursor-store.ts";
import {
  insertFailed,
  insertWaiting,
  listBlockedObjects,
  listCompaniesToRetry,
  objectKey,
  recordRepeatedFailure,
  retryHead,
} from "./dead-letter-store.ts";
import { type LogRow, readEvent, type Subscriber } from "./subscriber.ts";

const handledAtOnce = 500;
/** Number of events handled for one company before the others get their turn. */
const handledPerTurn = 2_000;

/** Handles the waiting events of this subscriber for every company. Returns how many it handled. */
export async function catchUp(services: Services, subscriber: Subscriber): Promise<number> {
  let handled = 0;
  for (const { company_id: companyId, since } of await listCompaniesBehind(services, subscriber))
    handled += await runGuarded(services, subscriber, companyId, () =>
      follow(services, subscriber, companyId, since),
    );
  for (const companyId of await listCompaniesToRetry(services, subscriber.name))
    handled += await runGuarded(services, subscriber, companyId, () =>
      retry(services, subscriber, companyId),
    );
  return handled;
}

/**
 * Runs `work` and logs its error: one company's database error does not delay the others, and the next turn comes
 * within a second.
 */
async function runGuarded(
  { log }: Services,
  { name }: Subscriber,
  company: string,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    log.warn({ err: error, subscriber: name, company }, "a subscriber failed to handle events");
    return 0;
  }
}

async function follow(
  services: Services,
  subscriber: Subscriber,
  companyId: string,
  since: number,
): Promise<number> {
  let handled = 0;
  for (let atOnce = handledAtOnce; ; ) {
    let taken: readonly LogRow[] = [];
    try {
      const isDone = await services.db.withCompany(companyId, async (tx) => {
        const cursor = await lockCursor(tx, subscriber.name, since);
        if (cursor === undefined) return true;
        taken = await listNextRows(tx, subscriber, cursor, atOnce);
        return (await handleRows(tx, services, subscriber, taken)) < atOnce;
      });
      handled += taken.length;
      if (atOnce === handledAtOnce && (isDone || handled >= handledPerTurn)) return handled;
      // The failed event is passed; continue in blocks.
      atOnce = handledAtOnce;
    } catch (error) {
      if (isTransient(error) || taken.length === 0) throw error;
      if (taken.length > 1) {
        atOnce = Math.ceil(taken.length / 2);
        continue;
      }
      const [failed] = taken;
      if (failed) await moveToDeadLetters(services, subscriber, companyId, since, failed, error as Error);
      handled++;
      atOnce = handledAtOnce;
    }
  }
}

/**
 * Returns true for a fault of the database. A statement timeout counts as the event's fault, because it would recur.
 */
const isTransient = (error: unknown) => isUnavailable(error) && (error as { code?: string }).code !== "57014";

/** Handles events of objects without dead letters and stores the others behind those. Returns how many there were. */
async function handleRows(
  tx: Tx,
  services: Services,
  subscriber: Subscriber,
  rows: readonly LogRow[],
): Promise<number> {
  const last = rows.at(-1);
  if (!last) return 0;
  const blocked = await listBlockedObjects(tx, subscriber.name);
  const waiting = rows.filter((row) => blocked.has(objectKey(row)));
  const free = rows.filter((row) => !blocked.has(objectKey(row)));
  await insertWaiting(tx, subscriber.name, waiting, services.clock.now());
  if (free.length > 0)
    await subscriber.handle(
      tx,
      free.map((row) => readEvent(row)),
      services,
    );
  await moveCursor(tx, subscriber.name, last.position);
  return rows.length;
}

async function moveToDeadLetters(
  services: Services,
  subscriber: Subscriber,
  companyId: string,
  since: number,
  row: LogRow,
  error: Error,
): Promise<void> {
  await services.db.withCompany(companyId, async (tx) => {
    const cursor = await lockCursor(tx, subscriber.name, since);
    // Another worker handled the event meanwhile.
    if (cursor === undefined || cursor >= row.position) return;
    await insertFailed(tx, subscriber.name, row, error, services.clock.now());
    await moveCursor(tx, subscriber.name, row.position);
  });
  services.log.error(
    { err: error, company: companyId, subscriber: subscriber.name, event: row.type, position: row.position },
    "an event was stored as a dead letter",
  );
}

/** Retries due dead letters, each in a transaction of its own. */
async function retry(services: Services, subscriber: Subscriber, companyId: string): Promise<number> {
  for (let handled = 0; ; handled++) {
    let tried: LogRow | undefined;
    try {
      const isDone = await services.db.withCompany(companyId, async (tx) => {
        if ((await lockCursor(tx, subscriber.name)) === undefined) return true;
        tried = await retryHead(tx, subscriber.name, services.clock.now());
        if (tried) await subscriber.handle(tx, [readEvent(tried)], services);
        return tried === undefined;
      });
      if (isDone) return handled;
    } catch (error) {
      const failed = tried;
      if (isTransient(error) || !failed) throw error;
      await services.db.withCompany(companyId, async (tx) => {
        if ((await lockCursor(tx, subscriber.name)) === undefined) return;
        await recordRepeatedFailure(
          tx,
          subscriber.name,
          failed.position,
          error as Error,
          services.clock.now(),
        );
      });
      const { name } = subscriber;
      services.log.error(
        { err: error, company: companyId, subscriber: name, position: failed.position },
        "the retry of a dead letter failed",
      );
    }
  }
}
