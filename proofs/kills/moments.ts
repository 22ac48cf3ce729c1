/**
 * Chosen moments for a kill. A trigger stops one statement on a lock that the proof holds; then the server certainly
 * waits there. `work` stops inside the transaction, which the kill rolls back. `commit` stops in the commit itself,
 * which completes once the lock is released, although its server never learns of it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export interface Moment {
  name: string;
  table: string;
  event: "INSERT" | "UPDATE";
  when?: string;
  at: "work" | "commit";
}

export const steps: readonly Omit<Moment, "at">[] = [
  { name: "draft made", table: "batches", event: "INSERT", when: "NOT NEW.was_imported" },
  { name: "sheet imported", table: "batches", event: "INSERT", when: "NEW.was_imported" },
  {
    name: "batch closed",
    table: "batches",
    event: "UPDATE",
    when: "NEW.status = 'PENDING' AND OLD.status <> 'PENDING'",
  },
  {
    name: "batch waits",
    table: "batches",
    event: "UPDATE",
    when: "NEW.status = 'WAITING' AND OLD.status <> 'WAITING'",
  },
  {
    name: "batch released",
    table: "batches",
    event: "UPDATE",
    when: "NEW.status = 'RECEIVED' AND OLD.status <> 'RECEIVED'",
  },
  { name: "answer kept under its key", table: "idempotency_keys", event: "INSERT" },
  { name: "deposit posted", table: "ledger_transactions", event: "INSERT", when: "NEW.type = 'DEPOSIT'" },
  { name: "refund posted", table: "ledger_transactions", event: "INSERT", when: "NEW.type = 'REFUND'" },
  { name: "payment posted", table: "ledger_transactions", event: "INSERT", when: "NEW.type = 'PAYMENT'" },
  {
    name: "payments claimed",
    table: "transfers",
    event: "UPDATE",
    when: "NEW.status = 'EXECUTING' AND OLD.status <> 'EXECUTING'",
  },
  { name: "network took orders", table: "sandbox.orders", event: "INSERT" },
  {
    name: "orders noted as sent",
    table: "transfers",
    event: "UPDATE",
    when: "NEW.sent_at IS NOT NULL AND OLD.sent_at IS NULL",
  },
  {
    name: "failed payment corrected",
    table: "transfers",
    event: "UPDATE",
    when: "OLD.status = 'FAILED' AND NEW.status IN ('RECEIVED', 'SCHEDULED')",
  },
  { name: "event received", table: "rail_events", event: "INSERT", when: "NEW.kind <> 'pix_received'" },
  {
    name: "event acknowledged",
    table: "sandbox.events",
    event: "UPDATE",
    when: "NEW.delivered_at IS NOT NULL AND OLD.delivered_at IS NULL",
  },
  { name: "job fetched", table: "pgboss.job_common", event: "UPDATE", when: "NEW.state = 'active'" },
  { name: "job finished", table: "pgboss.job_common", event: "UPDATE", when: "NEW.state = 'completed'" },
];

/** Any number that no other code locks. */
const lockKey = 7_150_010;
const lookEveryMs = 2;

/** Waits until the server reaches the moment. Returns false when it did not get there in time. */
export async function pauseAt(
  connection: pg.ClientConfig,
  moment: Moment,
  timeoutMs: number,
): Promise<{ reached: boolean; letGo(): Promise<void> }> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  await client.query("SELECT pg_advisory_lock($1)", [lockKey]);
  await client.query(`
    CREATE OR REPLACE FUNCTION public.proof_pause() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(${lockKey});
      RETURN NULL;
    END $$;
    CREATE ${moment.at === "commit" ? "CONSTRAINT" : ""} TRIGGER proof_pause AFTER ${moment.event} ON ${moment.table}
    ${moment.at === "commit" ? "DEFERRABLE INITIALLY DEFERRED" : ""}
    FOR EACH ROW ${moment.when ? `WHEN (${moment.when})` : ""} EXECUTE FUNCTION public.proof_pause()`);
  const deadline = performance.now() + timeoutMs;
  let reached = false;
  while (!reached && performance.now() < deadline) {
    const { rows } = await client.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted LIMIT 1",
      [lockKey],
    );
    reached = rows.length > 0;
    if (!reached) await sleep(lookEveryMs);
  }
  return {
    reached,
    /** Called when the server is dead and before the next one starts: a commit that waited completes. */
    async letGo() {
      try {
        await client.query("SELECT pg_advisory_unlock($1)", [lockKey]);
        await client.query(`DROP TRIGGER IF EXISTS proof_pause ON ${moment.table}`);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}
