/** Compares a database that was created under kills with one that was created undisturbed. */
import type pg from "pg";

const schemas = "('public', 'sandbox', 'pgboss')";

/** SQL with one line for each object of a complete database, sorted. */
const parts = `
  SELECT 'column ' || concat_ws(' ', table_schema, table_name, column_name, data_type, is_nullable, column_default) AS part
  FROM information_schema.columns WHERE table_schema IN ${schemas}
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ${schemas})
  UNION ALL
  SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname IN ${schemas}
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT 'function ' || p.oid::regprocedure || ' ' || md5(prosrc) || ' ' || coalesce(proacl::text, '') FROM pg_proc p
  WHERE pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ${schemas})
  UNION ALL
  SELECT 'policy ' || concat_ws(' ', schemaname, tablename, policyname, roles, cmd, qual, with_check) FROM pg_policies
  UNION ALL
  SELECT 'rights ' || oid::regclass || ' ' || relrowsecurity || relforcerowsecurity || ' ' || coalesce((SELECT string_agg(one::text, ' ' ORDER BY one::text) FROM unnest(relacl) one), '')
  FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'S') AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ${schemas})
  UNION ALL
  SELECT 'role ' || concat_ws(' ', rolname, rolsuper, rolbypassrls, rolcanlogin) FROM pg_roles WHERE rolname LIKE 'malote%'
  UNION ALL
  SELECT 'migration ' || name FROM migrations
  UNION ALL
  SELECT 'queue ' || concat_ws(' ', name, retry_limit, heartbeat_seconds) FROM pgboss.queue
  UNION ALL
  SELECT 'company ' || concat_ws(' ', company_id, name, tax_id) FROM companies
  UNION ALL
  SELECT 'account ' || concat_ws(' ', company_id, account, balance, seq) FROM ledger_accounts
  UNION ALL
  SELECT 'person ' || concat_ws(' ', company_id, email, profile) FROM users
  ORDER BY 1`;

export async function partsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ part: string }>(parts);
  return rows.map(({ part }) => part);
}

export function differences(expected: readonly string[], found: readonly string[]): string[] {
  const missing = countsOf(expected);
  for (const part of found) missing.set(part, (missing.get(part) ?? 0) - 1);
  return [...missing]
    .filter(([, count]) => count !== 0)
    .map(([part, count]) => `${count > 0 ? "missing" : "too much"}: ${part.slice(0, 200)}`);
}

function countsOf(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

const plants: Record<string, string> = {
  "a migration that was half done": "DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)",
  "a rule that is missing": "ALTER TABLE ledger_accounts DISABLE ROW LEVEL SECURITY",
  "an index that is missing": `
    DO $$ BEGIN EXECUTE (SELECT 'DROP INDEX ' || indexrelid::regclass FROM pg_index JOIN pg_class t ON t.oid = indrelid
      WHERE t.relname = 'transfers' AND NOT indisunique LIMIT 1); END $$`,
  "a person who is missing":
    "UPDATE users SET email = 'x' || email WHERE id = (SELECT id FROM users LIMIT 1)",
  "a queue that is missing": "UPDATE pgboss.queue SET retry_limit = 0 WHERE name = 'send-payments'",
};

/** Returns the planted gaps that went unnoticed. */
export async function missedGaps(client: pg.Client, expected: readonly string[]): Promise<string[]> {
  const missed: string[] = [];
  for (const [name, plant] of Object.entries(plants)) {
    await client.query("BEGIN");
    await client.query(plant);
    const found = await partsOf(client);
    await client.query("ROLLBACK");
    if (differences(expected, found).length === 0) missed.push(name);
  }
  return missed;
}

export const gapCount = Object.keys(plants).length;
