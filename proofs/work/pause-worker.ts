/**
 * Stops one worker in the middle of a statement: a trigger makes it wait for a lock that the proof holds, then its
 * process is stopped, then the lock is released. PostgreSQL sees a client that is idle for a long time; the other
 * workers see it as gone.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Slot } from "./worker-slots.ts";

export interface Place {
  table: string;
  event: "INSERT" | "UPDATE";
  when?: string;
}

/** Orders given and not committed, and orders committed and not recorded: the two halves of the handover. */
export const handOverPlaces: readonly Place[] = [
  { table: "sandbox.orders", event: "INSERT" },
  { table: "transfers", event: "UPDATE", when: "NEW.sent_at IS NOT NULL AND OLD.sent_at IS NULL" },
];

/** Any number that no other code locks. */
const lockKey = 7_150_011;

/** Returns true when the worker reached the place; it stays stopped until it is resumed. */
export async function pauseWorker(
  client: pg.Client,
  slot: Slot,
  place: Place,
  timeoutMs: number,
): Promise<boolean> {
  await client.query("SELECT pg_advisory_lock($1)", [lockKey]);
  await client.query(`
    CREATE FUNCTION public.proof_pause() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF session_user = '${slot.name}' THEN PERFORM pg_advisory_xact_lock_shared(${lockKey}); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER proof_pause AFTER ${place.event} ON ${place.table}
    FOR EACH ROW ${place.when ? `WHEN (${place.when})` : ""} EXECUTE FUNCTION public.proof_pause()`);
  const deadline = performance.now() + timeoutMs;
  let reached = false;
  while (!reached && performance.now() < deadline) {
    const { rowCount } = await client.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted LIMIT 1",
      [lockKey],
    );
    reached = rowCount !== 0;
    if (!reached) await sleep(5);
  }
  if (reached) slot.pause();
  await client.query("SELECT pg_advisory_unlock($1)", [lockKey]);
  return reached;
}

/** Resumes the worker and removes the trigger. */
export async function resumeWorker(client: pg.Client, slot: Slot, place: Place): Promise<void> {
  slot.resume();
  await client.query(`DROP TRIGGER proof_pause ON ${place.table}; DROP FUNCTION public.proof_pause()`);
}
