/**
 * P14: reading, drafting and closing, until every payment is paid: two web and two worker processes against one process
 * that does everything, on the same PostgreSQL. Every closed batch must be paid once, and the books must balance.
 */
import { randomUUID } from "node:crypto";
import { checkBooks } from "../apps/api/src/ledger/check-books.ts";
import type { Server } from "../e2e/server.ts";
import { expectOk, openClient } from "./http-client.ts";
import { median, print } from "./kit.ts";
import {
  addCompanies,
  addDrafts,
  type Draft,
  type Person,
  signInEverybody,
  startServer,
} from "./web-server.ts";

const companies = 50;
const closesPerRound = 200;
const paymentsPerBatch = 5;
const clients = 16;
const rounds = Number(process.argv[2] ?? 5);
const paidWithinMs = 60_000;
/** Calls of a person around each close: they read, draft and read again. */
const callsPerClose = 6;

await using server = await startServer("none");
const { db } = server;
await db.pool.query("UPDATE sandbox.settings SET pix_latency_ms = 0");
const companyIds = await addCompanies(db, companies, 1_000_000_00);
const people = new Map((await signInEverybody(db, companyIds)).map((person) => [person.companyId, person]));

async function oneJob(
  client: Awaited<ReturnType<typeof openClient>>,
  { companyId, batchId }: Draft,
  { headers }: Person,
) {
  const base = "/api/payments";
  const json = { ...headers, "content-type": "application/json" };
  expectOk(
    await client.send("GET", `${base}/app/batch?initialDate=2026-01-01&endDate=2027-12-31&page=0`, headers),
  );
  const body = JSON.stringify({ name: `Folha ${companyId}`, type: "TRANSFER" });
  const keyed = () => ({ ...json, "idempotency-key": randomUUID() });
  expectOk(await client.send("POST", `${base}/app/batch`, keyed(), body));
  expectOk(await client.send("GET", `${base}/app/batch/${batchId}`, headers));
  expectOk(await client.send("GET", `${base}/app/batch/${batchId}/transfer?page=0`, headers));
  expectOk(await client.send("POST", `${base}/batch/${batchId}/close`, keyed(), "{}"));
  expectOk(await client.send("GET", `${base}/statement/balance`, headers));
}

/** Calls per second, from the first call to the last payment. */
async function measure(roles: readonly ("all" | "web" | "worker")[]): Promise<number> {
  const running: Server[] = [];
  try {
    for (const role of roles) running.push(await server.another(role));
    const webs = running.filter((_, n) => roles[n] !== "worker");
    const warm = await addDrafts(db, companyIds.slice(0, 20), { drafts: 1, payments: paymentsPerBatch });
    await work(webs, warm);
    const drafts = await addDrafts(db, companyIds, {
      drafts: closesPerRound / companies,
      payments: paymentsPerBatch,
    });
    const started = performance.now();
    await work(webs, drafts);
    return (drafts.length * callsPerClose) / ((performance.now() - started) / 1000);
  } finally {
    for (const one of running) await one.stop();
  }
}

async function work(webs: readonly Server[], drafts: readonly Draft[]): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const client = await openClient(webs[n % webs.length]?.url ?? "");
      for (let draft = drafts[next++]; draft; draft = drafts[next++]) {
        const person = people.get(draft.companyId);
        if (person) await oneJob(client, draft, person);
      }
      client.close();
    }),
  );
  const deadline = performance.now() + paidWithinMs;
  const ids = drafts.map((draft) => draft.batchId);
  for (;;) {
    const { rows } = await db.pool.query<{ left: number }>(
      "SELECT count(*)::int AS left FROM batches WHERE id = ANY($1::uuid[]) AND (status NOT IN ('FINISHED') OR paid_count <> payments_count)",
      [ids],
    );
    if (rows[0]?.left === 0) return;
    if (performance.now() > deadline) throw new Error(`${rows[0]?.left} batches are not paid`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const ours: number[] = [];
const floor: number[] = [];
for (let round = 0; round < rounds; round++) {
  ours.push(await measure(["web", "web", "worker", "worker"]));
  floor.push(await measure(["all"]));
}

/** Each payment is in the books once, and at the bank once. */
const { rows } = await db.pool.query<{ paid: number; posted: number; ordered: number }>(`
  SELECT (SELECT count(*) FROM transfers WHERE status IN ('TRANSFERRED', 'FINISHED'))::int AS paid,
         (SELECT count(*) FROM ledger_transactions WHERE cause LIKE 'paid:%')::int AS posted,
         (SELECT count(*) FROM sandbox.orders)::int AS ordered`);
const counted = rows[0] ?? { paid: 0, posted: 0, ordered: 0 };
const expected = rounds * 2 * (closesPerRound + 20) * paymentsPerBatch;
const faults = await checkBooks(db);
print("P14", {
  unit: "calls/s",
  n: closesPerRound * callsPerClose,
  rounds,
  ours: median(ours),
  floor: median(floor),
  lost_or_doubled:
    Math.abs(counted.paid - expected) +
    Math.abs(counted.posted - expected) +
    Math.abs(counted.ordered - expected),
  book_faults: faults.length,
  payments: counted.paid,
  ours_each: ours,
  floor_each: floor,
});
