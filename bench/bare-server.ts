/**
 * The floor of the HTTP benches: a bare Fastify on the same database, with prepared statements and without sign-in,
 * tenancy, schemas, rights or a log. It is a separate process, like the product.
 * POST /close/:company/:batch runs the minimal SQL of a close: it reads each fact and writes each row once.
 * GET /same/:n runs the statements of one of the product's GETs, from the file that SAME names, or returns the same
 * answer without statements.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import pg from "pg";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 12 });
const app = Fastify();

app.post<{ Params: { company: string; batch: string }; Headers: { "idempotency-key": string } }>(
  "/close/:company/:batch",
  async (request) => {
    const { company, batch } = request.params;
    const key = request.headers["idempotency-key"];
    const client = await pool.connect();
    const ask = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
      (await client.query<Row>({ name, text, values })).rows[0] as Row;
    try {
      await client.query(`BEGIN; SET LOCAL app.company_id = '${company}'`);
      const earlier = await ask<{ taken: boolean; body: string | null }>(
        "key",
        `SELECT pg_try_advisory_xact_lock(hashtextextended($1 || $2, 0)) AS taken,
           (SELECT body FROM idempotency_keys WHERE company_id = $1::text::uuid AND route = 'close' AND key = $2) AS body`,
        [company, key],
      );
      if (!earlier.taken) throw new Error("in progress");
      if (earlier.body) return JSON.parse(earlier.body);
      const row = await ask<{ status: string; value: number; errors_count: number; closings: number }>(
        "batch",
        "SELECT * FROM batches WHERE company_id = $1 AND id = $2 FOR UPDATE",
        [company, batch],
      );
      const facts = await ask<{ settings: { accountLimits: Record<string, number> }; balance: number }>(
        "company",
        `SELECT c.settings, a.balance FROM companies c
         JOIN ledger_accounts a ON a.company_id = c.company_id AND a.account = 'available' WHERE c.company_id = $1`,
        [company],
      );
      const wrong = await ask<{ count: number }>(
        "wrong",
        `SELECT count(*)::int AS count FROM transfers
         WHERE company_id = $1 AND batch_id = $2 AND status = 'CREATED' AND (errors IS NOT NULL OR payment_date < current_date
           OR tax_id IN (SELECT tax_id FROM blocked_tax_ids) OR value > $3)`,
        [company, batch, facts.settings.accountLimits["PIX"]],
      );
      if (row.status !== "DRAFT" || row.errors_count > 0 || wrong.count > 0)
        throw new Error("cannot be closed");
      const { posted } = await ask<{ posted: boolean }>(
        "post",
        `SELECT post_movements($1, now(), ARRAY[ROW(uuidv7(), 'BATCH', $2, 'available', 'reserved', $3::bigint, 'Lote', '{}'::jsonb)::movement]) AS posted`,
        [company, `close:${batch}:${row.closings + 1}`, row.value],
      );
      if (!posted) throw new Error("too little money");
      await ask(
        "flip",
        `UPDATE batches SET status = 'PENDING', closings = closings + 1, closed_at = now(), reserved_value = value
         WHERE company_id = $1 AND id = $2 AND status = 'DRAFT'`,
        [company, batch],
      );
      await ask("outbox", "INSERT INTO pgboss.job (name, data) VALUES ('close-batch', $1)", [
        JSON.stringify({ companyId: company, batchId: batch }),
      ]);
      await ask(
        "audit",
        `INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action, subject_id, request_id)
         VALUES ($1, now(), 'user', 'bench', 'batch_closed', $2, $3)`,
        [company, batch, randomUUID()],
      );
      const answer = { is_batch_paid: true, status: "PENDING" };
      await ask(
        "keep",
        `INSERT INTO idempotency_keys (company_id, route, key, request_hash, status, body, created_at)
         VALUES ($1, 'close', $2, '', 200, $3, now())`,
        [company, key, JSON.stringify(answer)],
      );
      await client.query("COMMIT");
      return answer;
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    } finally {
      client.release();
    }
  },
);

interface Statement {
  text: string;
  values: unknown[];
}
const same: { statements: Statement[]; answer: unknown }[] = process.env["SAME"]
  ? JSON.parse(readFileSync(process.env["SAME"], "utf8"))
  : [];
for (const [n, { statements, answer }] of same.entries()) {
  app.get(`/same/${n}`, async () => {
    if (statements.length === 0) return answer;
    const client = await pool.connect();
    try {
      const answers: unknown[] = [];
      for (const [at, { text, values }] of statements.entries())
        answers.push((await client.query({ name: `${n}/${at}`, text, values })).rows);
      return answers;
    } finally {
      client.release();
    }
  });
}

await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
process.on("SIGTERM", () => process.exit(0));
process.send?.("ready");
