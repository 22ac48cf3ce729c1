/**
 * P3: closing a batch of 100,000 transfers. Ours: the call's answer, and the job that releases the payments. Floor: the
 * bare set-based SQL of the same work in one transaction (status of 100,000 rows, two entries, one balance), without a
 * check, a lock of the batch, a queue or an audit entry. Meanwhile another company closes small batches.
 */
import type { closeBatch as contract } from "@malote/contracts/batch-life";
import type { readBatchChecks } from "@malote/contracts/checks";
import { sql } from "kysely";
import { demoCompanies } from "../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { post } from "../apps/api/src/ledger/index.ts";
import { readBatchChecks as readChecks } from "../apps/api/src/payouts/batches/checks.ts";
import { closeBatch } from "../apps/api/src/payouts/batches/close.ts";
import { releaseClosedBatch } from "../apps/api/src/payouts/index.ts";
import type { Actor } from "../apps/api/src/platform/auth/actor.ts";
import type { Call } from "../apps/api/src/platform/http/serve.ts";
import { uuidv7 } from "../apps/api/src/platform/uuid.ts";
import { compare, median, openBench, print, quantile, seconds } from "./kit.ts";

const payments = Number(process.argv[2] ?? 100_000);
const rounds = 5;
const bench = await openBench();
const { services } = bench;
const companyIds = demoCompanies.map((company) => company.id);
const large = companyIds[0] ?? "";
const small = companyIds[1] ?? "";

async function draftOf(companyId: string, count: number): Promise<string> {
  const id = uuidv7();
  await services.db.withCompany(companyId, async (tx) => {
    await sql`
      INSERT INTO batches (company_id, id, name, type, status, created_at, created_by_name, value, payments_count)
      VALUES (${companyId}, ${id}, 'Folha', 'TRANSFER', 'DRAFT', now(), 'bench', ${count * 100}, ${count})
    `.execute(tx);
    await sql`
      INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, integration_id, name, tax_id,
        pix_key_type, pix_key, created_at)
      SELECT ${companyId}::uuid, uuidv7(), ${id}::uuid, n, 'CREATED', 100, 'PIX', ${id} || ' ' || n, 'Pessoa ' || n,
             lpad(n::text, 11, '0'), 'EMAIL',
             'p' || n || '@exemplo.com.br', now()
      FROM generate_series(1, ${count}::int) n
    `.execute(tx);
    const posted = await post(tx, new Date(), [
      {
        type: "DEPOSIT",
        cause: `bench:${id}`,
        from: "pix_in",
        to: "available",
        amount: count * 100,
        description: "Pix",
      },
    ]);
    if (!posted) throw new Error("the deposit did not post");
  });
  return id;
}

const admin = (companyId: string): Actor => ({
  kind: "user",
  id: uuidv7(),
  name: "bench",
  companyId,
  sessionId: uuidv7(),
  tokenId: uuidv7(),
  application: "payments",
  profile: "admin",
  permissions: ["all"],
  featureFlags: [],
  mustEnableTwoFactor: false,
});

const closing = (companyId: string, id: string) =>
  services.db.withCompany(companyId, (tx) => {
    const call = { params: { id }, body: {}, actor: admin(companyId), now: new Date(), requestId: "bench" };
    return closeBatch(tx, call as Call<typeof contract>, services.jobs);
  });

/** The closer of a large batch has read its checks, so their findings are stored for the closing. */
const look = (companyId: string, id: string) =>
  readChecks(services, { params: { id }, actor: admin(companyId), now: new Date() } as Call<
    typeof readBatchChecks
  >);

const answers: number[] = [];
async function ours(): Promise<number> {
  const id = await draftOf(large, payments);
  await services.db.pool.query("VACUUM ANALYZE transfers");
  await look(large, id);
  answers.push(await seconds(() => closing(large, id)));
  return seconds(() => releaseClosedBatch(services, { companyId: large, batchId: id }));
}

async function floor(): Promise<number> {
  const id = await draftOf(large, payments);
  await services.db.pool.query("VACUUM ANALYZE transfers");
  const client = await services.db.pool.connect();
  try {
    return await seconds(async () => {
      await client.query("BEGIN");
      await client.query(
        "UPDATE transfers SET status = 'RECEIVED', execute_at = now() WHERE company_id = $1 AND batch_id = $2",
        [large, id],
      );
      await client.query(
        "UPDATE batches SET status = 'PENDING', received_date = now(), reserved_value = value WHERE company_id = $1 AND id = $2",
        [large, id],
      );
      await client.query("SELECT set_config('app.company_id', $1, true)", [large]);
      await client.query(
        `SELECT post_movements($1, now(), ARRAY[ROW(uuidv7(), 'BATCH', 'floor:' || $2, 'available', 'reserved', $3::bigint, 'Lote', '{}'::jsonb)::movement])`,
        [large, id, payments * 100],
      );
      await client.query("COMMIT");
    });
  } finally {
    client.release();
  }
}

const figures = await compare(rounds, ours, floor);

// Small closes of another company while a large batch is being released.
const smallCloses: number[] = [];
for (let round = 0; round < 3; round++) {
  const drafts: string[] = [];
  for (let n = 0; n < 40; n++) drafts.push(await draftOf(small, 10));
  const batchId = await draftOf(large, payments);
  await look(large, batchId);
  await closing(large, batchId);
  const release = releaseClosedBatch(services, { companyId: large, batchId });
  for (const id of drafts) smallCloses.push(await seconds(() => closing(small, id)));
  await release;
}
print("P3", {
  unit: "s",
  n: payments,
  rounds,
  ours: figures.ours,
  floor: figures.floor,
  answer_ms: median(answers) * 1000,
  small_close_p99_ms: quantile(smallCloses, 0.99) * 1000,
});
await bench.close();
