/**
 * Goal P7: a page of the statement, at any depth, in a company of many entries against one of ten thousand, by the same
 * code that serves the screen, interleaved in one run. SQL generates the entries in a separate PostgreSQL. Also
 * verifies that a page is read as a range of numbers: no sort, no sequential scan. Prints one JSON line.
 * node bench/statement-page.ts [entries of the large company]
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import { demoCompanies, seedDemo } from "../apps/api/src/adapters/sandbox/demo/seed.ts";
import { openDatabase } from "../apps/api/src/platform/db/database.ts";
import { migrate } from "../apps/api/src/platform/db/migrate.ts";
import { readPage } from "../apps/api/src/statement/read.ts";
import { median, print, quantile } from "./kit.ts";

const small = 10_000;
const large = Number(process.argv[2] ?? 10_000_000);
const rounds = 9;
const readsPerRound = 200;
const pageSize = 50;

const dataDir = mkdtempSync(join(tmpdir(), "malote-bench-"));
chmodSync(dataDir, 0o755);
const server = await startPostgres({ dataDir, log: () => undefined, durable: false });
await migrate(server.connection);
const db = openDatabase({ ...server.connection, max: 2 });
await seedDemo(db, { now: () => new Date("2026-12-31T12:00:00Z") });
const [big, tiny] = demoCompanies.map((company) => company.id);
if (!big || !tiny) throw new Error("two companies are needed");

const client = new pg.Client(server.connection);
await client.connect();

/** Two deposits of 2 and one withdrawal of 1 in turn, spread evenly over 2026. */
async function fill(companyId: string, count: number): Promise<void> {
  await client.query("BEGIN");
  // Only the company's side of each movement exists, so the check that both sides agree is disabled.
  await client.query("SET LOCAL session_replication_role = replica");
  await client.query(`SET LOCAL ROLE malote_ledger; SET LOCAL app.company_id = '${companyId}'`);
  const made = `(
    SELECT n, CASE WHEN n % 3 = 0 THEN -1 ELSE 2 END AS amount,
           md5('${companyId}' || n)::uuid AS id,
           timestamptz '2026-01-01 03:00:00Z' + (n * (interval '365 days' / ${count + 1})) AS at
    FROM generate_series(1, ${count}) n) made`;
  await client.query(`
    INSERT INTO ledger_entries (company_id, account, seq, transaction_id, amount, balance_after, at)
    SELECT '${companyId}', 'available', n, id, amount, 2 * (n - n / 3) - n / 3, at FROM ${made} ORDER BY n`);
  await client.query(`
    INSERT INTO ledger_transactions (company_id, id, type, cause, description, complement, at)
    SELECT '${companyId}', id, CASE WHEN amount > 0 THEN 'DEPOSIT' ELSE 'WITHDRAW' END, 'bench:' || n, 'Pix recebido',
           '{"isPix": true}', at FROM ${made} ORDER BY n`);
  await client.query(`
    INSERT INTO ledger_months (company_id, account, month, entries, money_in, money_out)
    SELECT '${companyId}', 'available', date_trunc('month', at AT TIME ZONE 'America/Sao_Paulo')::date, count(*),
           sum(greatest(amount, 0)), sum(greatest(-amount, 0)) FROM ${made} GROUP BY 3`);
  await client.query("COMMIT");
}
const startedFilling = performance.now();
await fill(tiny, small);
await fill(big, large);
await client.query("VACUUM ANALYZE ledger_entries, ledger_transactions, ledger_months");
const fillSeconds = Math.round((performance.now() - startedFilling) / 1000);

let state = 7;
const draw = (below: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

/** Requests a random page of a random month, as the screen does. */
async function readOne(companyId: string, count: number): Promise<number> {
  const month = 1 + draw(12);
  const days = new Date(Date.UTC(2026, month, 0)).getUTCDate();
  const at = `2026-${String(month).padStart(2, "0")}`;
  // February is the shortest month.
  const page = 1 + draw(Math.floor(((count / 365) * 28) / pageSize) - 1);
  const query = { initialDate: `${at}-01`, endDate: `${at}-${days}`, page };
  const started = performance.now();
  const answer = await db.withCompany(companyId, (tx) => readPage(tx, { query } as never));
  const ms = performance.now() - started;
  const { entries, prevBalance, afterBalance, totals } = answer;
  if (entries.length !== pageSize) throw new Error(`${entries.length} entries on page ${page} of ${at}`);
  if (prevBalance.value + totals.in - totals.out !== afterBalance.value)
    throw new Error("the figures do not add up");
  return ms;
}

async function planOf(companyId: string): Promise<string> {
  await client.query("BEGIN");
  await client.query(`SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${companyId}'`);
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`
    EXPLAIN SELECT t.id FROM ledger_entries e
    JOIN ledger_transactions t ON t.company_id = e.company_id AND t.id = e.transaction_id
    WHERE e.company_id = '${companyId}' AND e.account = 'available' AND e.seq > 5000 AND e.seq <= 5050 ORDER BY e.seq DESC`);
  await client.query("ROLLBACK");
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}
const plan = await planOf(big);
if (/Sort|Seq Scan/.test(plan)) throw new Error(`a page is not a range of numbers:\n${plan}`);

const ours: number[] = [];
const floor: number[] = [];
const all: number[] = [];
for (let n = 0; n < 500; n++) await readOne(n % 2 ? big : tiny, n % 2 ? large : small);
for (let round = 0; round < rounds; round++) {
  const bigMs: number[] = [];
  const tinyMs: number[] = [];
  for (let n = 0; n < readsPerRound; n++) {
    tinyMs.push(await readOne(tiny, small));
    bigMs.push(await readOne(big, large));
  }
  ours.push(median(bigMs));
  floor.push(median(tinyMs));
  all.push(...bigMs);
}
print("P7", {
  unit: "ms",
  seed: 7,
  n: large,
  rounds,
  ours: median(ours),
  floor: median(floor),
  floor_entries: small,
  reads_per_round: readsPerRound,
  ours_p99_ms: quantile(all, 0.99),
  fill_s: fillSeconds,
});

await client.end();
await db.close();
await server.stop();
rmSync(dataDir, { recursive: true, force: true });
