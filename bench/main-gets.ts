/**
 * P6: the GETs that screens use most, over open HTTP connections, each against a bare Fastify that runs the same
 * prepared statements (bare-server.ts). `ratio` is the worst of them. Servers that each leave one part out
 * (gets-server.ts) measure the cost of sign-in, tenancy and schemas, one call at a time.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBare } from "./bare.ts";
import { expectOk, type HttpClient, openClient, ratePerSecond } from "./http-client.ts";
import { median, print } from "./kit.ts";
import { openRecorder, type Recorded } from "./recording.ts";
import { addCompanies, addDrafts, signInEverybody, startServer } from "./web-server.ts";

const rounds = 5;
const clients = 4;
const callsPerRound = 120;
const callsForCosts = 100;
const roundsForCosts = 5;

await using server = await startServer();
const [companyId = ""] = await addCompanies(server.db, 1, 1_000_000_00);
const [person] = await signInEverybody(server.db, [companyId]);
if (!person) throw new Error("the sign-in failed");
const { headers } = person;
const drafts = await addDrafts(server.db, [companyId], { drafts: 50, payments: 60 });
const batchId = drafts[0]?.batchId ?? "";
await server.db.pool.query(
  `UPDATE batches SET status = 'WAITING', waiting_since = now() WHERE company_id = $1 AND id = $2`,
  [companyId, drafts[1]?.batchId],
);
await server.db.pool.query(
  `SELECT set_config('app.company_id', $1, false), post_movements($1::uuid, now(),
     ARRAY[ROW(uuidv7(), 'DEPOSIT', 'bench-' || n, 'pix_in', 'available', 100, 'Pix', '{}'::jsonb)::movement])
   FROM generate_series(1, 120) n`,
  [companyId],
);
const { rows: payments } = await server.db.pool.query<{ id: string; receiver: string }>(
  "SELECT id, receiver_id(t) AS receiver FROM transfers t WHERE company_id = $1 AND batch_id = $2 LIMIT 1",
  [companyId, batchId],
);
const [payment] = payments;
await server.db.pool.query("VACUUM ANALYZE");

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
const period = `initialDate=${day(Date.now() - 30 * 86_400_000)}&endDate=${day(Date.now() + 86_400_000)}`;
const api = "/api/payments";
const gets: Record<string, string> = {
  me: `${api}/user/me`,
  brand: "/api/login/brand",
  company_settings: `${api}/companySettings`,
  user_settings: `${api}/app/settings`,
  banks: `${api}/bank?pix=true`,
  payment_accounts: `${api}/bankAccount/payment`,
  pix_keys: `${api}/app/pix/key`,
  withdraw_account: `${api}/companyBankAccount`,
  checkpoint: `${api}/checkpoints/HAS_FILLED_FIRST_STEPS/exists`,
  blocked_documents: `${api}/cpfcnpj/blacklist`,
  balance: `${api}/statement/balance`,
  statement_page: `${api}/statement?${period}`,
  batches: `${api}/app/batch?${period}`,
  waiting_batches: `${api}/batch/waiting`,
  blankslate: `${api}/dashboard/hasBlankslate`,
  batch: `${api}/app/batch/${batchId}`,
  batch_summary: `${api}/app/batch/${batchId}/summary`,
  has_failed: `${api}/app/batch/${batchId}/hasFailedOrReturnedTransfers`,
  batch_payments: `${api}/app/batch/${batchId}/transfer`,
  payment: `${api}/app/transfer/${payment?.id}/details`,
};
const forCosts = ["balance", "batches", "batch_payments"];

const recorded: Recorded[] = [];
{
  await using recorder = await openRecorder(server.databaseUrl);
  for (const path of Object.values(gets)) recorded.push(await recorder.record(path, headers));
}
const folder = mkdtempSync(join(tmpdir(), "malote-bench-"));
writeFileSync(join(folder, "same.json"), JSON.stringify(recorded));
await using bare = await startBare({ DATABASE_URL: server.databaseUrl, SAME: join(folder, "same.json") });
rmSync(folder, { recursive: true });

const calls = Array.from({ length: callsPerRound }, (_, n) => n);
const rateOf = (url: string, path: string) =>
  ratePerSecond(url, clients, calls, async (client) => {
    expectOk(await client.send("GET", path, headers));
  });
const byGet: { name: string; ours: number; floor: number; ratio: number; statements: number }[] = [];
for (const [n, [name, path]] of Object.entries(gets).entries()) {
  const ours: number[] = [];
  const floor: number[] = [];
  // The first turn of each is not measured.
  for (let round = 0; round <= rounds; round++) {
    ours.push(await rateOf(server.url, path));
    floor.push(await rateOf(bare.url, `/same/${n}`));
  }
  const [our, their] = [median(ours.slice(1)), median(floor.slice(1))];
  byGet.push({
    name,
    ours: our,
    floor: their,
    ratio: our / their,
    statements: recorded[n]?.statements.length ?? 0,
  });
}

const worst = byGet.toSorted((a, b) => a.ratio - b.ratio)[0];
const costs = await measureCosts();
print("P6", {
  unit: "answers/s",
  n: Object.keys(gets).length,
  rounds,
  ours: worst?.ours ?? Number.NaN,
  floor: worst?.floor ?? Number.NaN,
  worst: worst?.name,
  ratio_median: median(byGet.map((get) => get.ratio)),
  ...costs,
  ratio_by_get: Object.fromEntries(byGet.map(({ name, ratio }) => [name, ratio])),
  statements_by_get: Object.fromEntries(byGet.map(({ name, statements }) => [name, statements])),
  clients,
});

/** Microseconds that a call saves when a part is left out: the median of the rounds' differences. */
async function measureCosts(): Promise<Record<string, number>> {
  const start = async (without: string) =>
    startBare({ DATABASE_URL: server.databaseUrl, WITHOUT: without }, "gets-server.ts");
  await using whole = await start("");
  await using noAuth = await start("auth");
  await using noTenancy = await start("tenancy");
  await using noSchema = await start("schema");
  const open = await Promise.all([whole, noAuth, noTenancy, noSchema].map(({ url }) => openClient(url)));
  const differences: number[][] = [[], [], []];
  for (let round = 0; round <= roundsForCosts; round++)
    for (const name of forCosts) {
      const took = await microsecondsOf(open, gets[name] ?? "");
      if (round > 0)
        for (const [at, each] of differences.entries()) each.push((took[0] ?? 0) - (took[at + 1] ?? 0));
    }
  for (const client of open) client.close();
  const [auth, tenancy, schema] = differences.map((each) => median(each));
  return {
    auth_us: auth ?? Number.NaN,
    tenancy_us: tenancy ?? Number.NaN,
    schema_us: schema ?? Number.NaN,
  };
}

/**
 * Returns the median of many calls of each server: one at a time, with the servers in turn, so that all run under the
 * same conditions.
 */
async function microsecondsOf(open: readonly HttpClient[], path: string): Promise<number[]> {
  const each = open.map(() => [] as number[]);
  for (let n = 0; n < callsForCosts; n++)
    for (const [at, client] of open.entries()) {
      const started = performance.now();
      expectOk(await client.send("GET", path, headers));
      each[at]?.push((performance.now() - started) * 1000);
    }
  return each.map(median);
}
