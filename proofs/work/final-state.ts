/** The final state of one run as comparable lines, and every status transition of its payments and batches. */
import { type BatchStatus, canMoveBatch } from "@malote/domain/batch-status";
import { canMovePayment, type PaymentStatus } from "@malote/domain/payment-status";
import type pg from "pg";

export type Client = pg.Pool | pg.PoolClient;

/**
 * The state of the money that a person or a program can see: it includes when an event happened, but not when Malote
 * received it.
 */
const views: Record<string, string> = {
  payment: `
    SELECT t.id, t.status, t.value, t.attempt, t.end_to_end_id, t.status_description, t.transfer_date,
      CASE WHEN r.cause IS NULL THEN t.returned_date END
    FROM transfers t LEFT JOIN ledger_transactions r ON r.company_id = t.company_id AND r.cause = 'refund:' || t.id`,
  batch: `
    SELECT id, status, value, payments_count, paid_count, failed_count, returned_count, returned_value, reserved_value FROM batches`,
  account: "SELECT company_id, account, balance, seq FROM ledger_accounts",
  entry: `
    SELECT e.account, t.cause, t.type, e.amount, t.description, t.complement
    FROM ledger_entries e JOIN ledger_transactions t ON t.company_id = e.company_id AND t.id = e.transaction_id`,
};

export async function finalState(client: Client): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, query] of Object.entries(views)) {
    const { rows } = await client.query(`SELECT '${name} ' || to_jsonb(v)::text AS line FROM (${query}) v`);
    lines.push(...rows.map((row) => row.line));
  }
  return lines.sort();
}

/** Returns the first lines that are in only one of the two states. */
export function differences(ordered: readonly string[], stormy: readonly string[]): string[] {
  const [inOrder, inStorm] = [new Set(ordered), new Set(stormy)];
  const missing = ordered.filter((line) => !inStorm.has(line)).map((line) => `only in order: ${line}`);
  const extra = stormy.filter((line) => !inOrder.has(line)).map((line) => `only in the storm: ${line}`);
  return [...missing.slice(0, 3), ...extra.slice(0, 3)];
}

export const watchStatuses = `
  CREATE TABLE public.proof_steps (number bigserial, kind text, id uuid, came_from text, went_to text);
  GRANT ALL ON public.proof_steps, public.proof_steps_number_seq TO PUBLIC;
  CREATE FUNCTION public.proof_step() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO public.proof_steps (kind, id, came_from, went_to) VALUES (TG_TABLE_NAME, NEW.id, OLD.status, NEW.status);
    RETURN NULL;
  END $$;
  CREATE TRIGGER proof_step AFTER UPDATE OF status ON transfers FOR EACH ROW
    WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION public.proof_step();
  CREATE TRIGGER proof_step AFTER UPDATE OF status ON batches FOR EACH ROW
    WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION public.proof_step();`;

/** Returns transitions that payments or batches do not permit, and statuses that were entered twice. */
export async function wrongSteps(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ kind: string; came_from: string; went_to: string; count: number }>(
    "SELECT kind, came_from, went_to, count(*)::int AS count FROM proof_steps GROUP BY 1, 2, 3",
  );
  const illegal = rows
    .filter(({ kind, came_from, went_to }) =>
      kind === "batches"
        ? !canMoveBatch(came_from as BatchStatus, went_to as BatchStatus)
        : !canMovePayment(came_from as PaymentStatus, went_to as PaymentStatus),
    )
    .map(({ kind, came_from, went_to, count }) => `${count} ${kind} went from ${came_from} to ${went_to}`);
  const back = await client.query<{ kind: string; id: string; went_to: string }>(
    "SELECT kind, id, went_to FROM proof_steps GROUP BY 1, 2, 3 HAVING count(*) > 1 LIMIT 3",
  );
  return [
    ...illegal,
    ...back.rows.map(({ kind, id, went_to }) => `${id} of ${kind} came to ${went_to} twice`),
  ];
}

export async function countSteps(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM proof_steps");
  return rows[0]?.count ?? 0;
}
