/**
 * P12: searches over HTTP in a company with a million payments: by name, document or value, among the payments of a
 * batch of a hundred thousand, among a hundred thousand batches and among saved receivers. The bound is absolute, so
 * there is no floor. The bench explains every statement of the searches too: none may scan a whole table.
 */
import pg from "pg";
import { expectOk, type HttpClient, openClient } from "./http-client.ts";
import { median, print, quantile } from "./kit.ts";
import { openRecorder, type Statement } from "./recording.ts";
import { addCompanies, type BenchServer, signInEverybody, startServer } from "./web-server.ts";

const batches = 10;
const paymentsPerBatch = 100_000;
const otherBatches = 100_000;
const rounds = 5;
const searchesPerRound = 4;
/** Maximum rows of a table that may be scanned whole. */
const smallTable = 10_000;

const firstNames =
  "Ana Bruno Carla Daniel Eduarda Felipe Gabriela Heitor Isabela João José Larissa Lucas Maria Márcia Nelson Olívia Paulo Rafael Renata Sérgio Tatiane Vinícius Yasmin".split(
    " ",
  );
const lastNames =
  "Almeida Araújo Barbosa Cardoso Carvalho Costa Dias Fernandes Ferreira Gomes Gonçalves Lima Lopes Martins Mendes Nascimento Oliveira Pereira Ribeiro Rocha Santos Silva Souza Teixeira Vieira".split(
    " ",
  );

await using server = await startServer();
const [companyId = ""] = await addCompanies(server.db, 1, 1_000_000_00);
const [person] = await signInEverybody(server.db, [companyId]);
if (!person) throw new Error("the sign-in failed");
const { headers } = person;
const fillStarted = performance.now();
const filled = await fill(server, companyId);
const fillSeconds = (performance.now() - fillStarted) / 1000;

let state = 12;
const draw = (below: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const oneOf = (all: readonly string[]) => all[draw(all.length)] ?? "";
const reais = (cents: number) => `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;
const payment = () => 1 + draw(batches * paymentsPerBatch);
const documentOf = (n: number) => String(10_000_000_000 + n * 7_919);
const centsOf = (n: number) => 100 + ((n * 7_919) % 900_000);

/** Searches as people type them: part of a name, a whole name, a formatted document, a value. */
const searches: Record<string, () => string> = {
  common_name: () => `/api/payments/app/batch/${oneOf(filled)}/transfer?search=${word(oneOf(lastNames))}`,
  full_name: () =>
    `/api/payments/app/batch/${oneOf(filled)}/transfer?search=${word(`${oneOf(firstNames)} ${oneOf(lastNames)} ${oneOf(lastNames)}`)}`,
  document: () => `/api/payments/app/batch/${oneOf(filled)}/transfer?search=${documentOf(payment())}`,
  value: () => `/api/payments/app/batch/${oneOf(filled)}/transfer?search=${word(reais(centsOf(payment())))}`,
  unknown: () => `/api/payments/app/batch/${oneOf(filled)}/transfer?search=ninguem${draw(1_000)}`,
  batch_name: () => `/api/payments/app/batch?${aYear}&search=${word(`Folha ${draw(otherBatches)}`)}`,
  batch_value: () => `/api/payments/app/batch?${aYear}&search=${word(reais(centsOf(draw(otherBatches))))}`,
  receiver_name: () =>
    `/api/payments/app/receivers/autocomplete?search=${word(`${oneOf(firstNames)} ${oneOf(lastNames)}`)}`,
  receiver_document: () => `/api/payments/app/receivers/autocomplete?search=${documentOf(payment())}`,
};
const aYear = yearUpToToday();

const client = await openClient(server.url);
for (const search of Object.values(searches)) for (let n = 0; n < 3; n++) await timed(client, search());
const times = new Map<string, number[]>(Object.keys(searches).map((kind) => [kind, []]));
for (let round = 0; round < rounds; round++)
  for (let n = 0; n < searchesPerRound; n++)
    for (const [kind, search] of Object.entries(searches))
      times.get(kind)?.push(await timed(client, search()));
client.close();

const scans: string[] = [];
{
  await using recorder = await openRecorder(server.databaseUrl);
  for (const [kind, search] of Object.entries(searches))
    for (const statement of (await recorder.record(search(), headers)).statements)
      for (const table of await tablesReadWhole(server, companyId, statement))
        scans.push(`${kind}: ${table}`);
}

const all = [...times.values()].flat();
const byKind = (part: number) =>
  Object.fromEntries([...times].map(([kind, each]) => [kind, quantile(each, part)]));
print("P12", {
  unit: "ms",
  seed: 12,
  n: batches * paymentsPerBatch,
  rounds,
  ours: quantile(all, 0.99),
  floor: null,
  p50_ms: median(all),
  p50_by_kind: byKind(0.5),
  p99_by_kind: byKind(0.99),
  sequential_scans: scans.length,
  scans,
  batches: otherBatches,
  searches: all.length,
  fill_s: fillSeconds,
});

async function timed(open: HttpClient, path: string): Promise<number> {
  const started = performance.now();
  expectOk(await open.send("GET", path, headers));
  return performance.now() - started;
}

function word(text: string): string {
  return encodeURIComponent(text);
}

function yearUpToToday(): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const now = Date.now();
  return `initialDate=${day(now - 365 * 86_400_000)}&endDate=${day(now + 86_400_000)}`;
}

/** Nine paid batches and one draft, a hundred thousand small ones, and each receiver paid once. */
async function fill({ databaseUrl }: BenchServer, company: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // Rows that are generated to match need no check of their references.
  await client.query("SET session_replication_role = replica");
  const made = await client.query<{ id: string }>(
    `INSERT INTO batches (company_id, id, name, type, status, created_at, created_by_name, value, payments_count, paid_count)
     SELECT $1, uuidv7(), 'Folha grande ' || n, 'TRANSFER', CASE WHEN n = $2 THEN 'DRAFT' ELSE 'FINISHED' END,
       now() - interval '1 hour' * n, 'bench', $3::int * 5000, $3::int, CASE WHEN n = $2 THEN 0 ELSE $3::int END
     FROM generate_series(1, $2::int) n RETURNING id`,
    [company, batches, paymentsPerBatch],
  );
  const ids = made.rows.map((row) => row.id);
  for (const [at, batch] of ids.entries())
    await client.query(
      `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, name, tax_id, pix_key_type,
         pix_key, integration_id, end_to_end_id, transfer_date, sheet_row, created_at)
       SELECT $1, uuidv7(), $2, n - $3::int, CASE WHEN $5 THEN 'CREATED' ELSE 'FINISHED' END, 100 + n::bigint * 7919 % 900000, 'PIX',
         ($6::text[])[1 + n % 24] || ' ' || ($7::text[])[1 + n / 24 % 25] || ' ' || ($7::text[])[1 + n / 600 % 25],
         (10000000000 + n::bigint * 7919)::text, 'EMAIL', 'pessoa' || n || '@exemplo.com.br', 'ERP-' || n,
         CASE WHEN $5 THEN NULL ELSE 'E' || lpad(n::text, 31, '0') END, CASE WHEN $5 THEN NULL ELSE now() END, n - $3::int, now()
       FROM generate_series($3::int + 1, $3::int + $4::int) n`,
      [company, batch, at * paymentsPerBatch, paymentsPerBatch, at === ids.length - 1, firstNames, lastNames],
    );
  await client.query(
    `INSERT INTO receivers (company_id, id, name, tax_id, pix_key_type, pix_key, created_at)
     SELECT company_id, uuidv7(), name, tax_id, pix_key_type, pix_key, now()
     FROM transfers t WHERE company_id = $1 AND status = 'FINISHED' ON CONFLICT DO NOTHING`,
    [company],
  );
  await client.query(
    `INSERT INTO batches (company_id, id, name, type, status, created_at, created_by_name, value, payments_count)
     SELECT $1, uuidv7(), 'Folha ' || n, 'TRANSFER', 'DRAFT', now() - interval '5 minutes' * n, 'bench', 100 + n::bigint * 7919 % 900000, 1
     FROM generate_series(1, $2::int) n`,
    [company, otherBatches],
  );
  await client.query("VACUUM ANALYZE transfers, batches, receivers");
  await client.end();
  return ids;
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}

/** Returns the large tables that a statement scans whole in PostgreSQL's plan for the company. */
async function tablesReadWhole(
  { databaseUrl }: BenchServer,
  company: string,
  { text, values }: Statement,
): Promise<string[]> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  try {
    await connection.query(`BEGIN; SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${company}'`);
    const { rows } = await connection.query<{ "QUERY PLAN": { Plan: Plan }[] }>({
      text: `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    });
    const whole = rows[0]?.["QUERY PLAN"].flatMap(({ Plan: plan }) => readWhole(plan)) ?? [];
    await connection.query("ROLLBACK");
    const large = await connection.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relname = ANY($1) AND reltuples > $2",
      [whole, smallTable],
    );
    return large.rows.map((row) => row.relname);
  } finally {
    await connection.end();
  }
}

function readWhole(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(readWhole);
  return plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? "", ...below] : below;
}
