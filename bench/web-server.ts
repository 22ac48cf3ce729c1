/** The product's web side as a separate process, on a PostgreSQL of the bench, with people already signed in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import { sql } from "kysely";
import { movableClock } from "../apps/api/src/adapters/sandbox/clock.ts";
import { demoCompanies, seedDemo } from "../apps/api/src/adapters/sandbox/demo/seed.ts";
import { openSecrets } from "../apps/api/src/platform/auth/secrets.ts";
import { openTokens } from "../apps/api/src/platform/auth/tokens.ts";
import { type Database, openDatabase } from "../apps/api/src/platform/db/database.ts";
import { migrate } from "../apps/api/src/platform/db/migrate.ts";
import { uuidv7 } from "../apps/api/src/platform/uuid.ts";
import { findBearerOfUser } from "../apps/api/src/session/bearer-store.ts";
import { claimsOf } from "../apps/api/src/session/grant.ts";
import { createMalote, type Server } from "../e2e/server.ts";
import { benchSecret, temporaryFolder } from "./kit.ts";

/** Ends with the block that opened it, also after an error. */
export interface BenchServer extends AsyncDisposable {
  url: string;
  pid: number;
  /** Process id of the database's main process, whose children do the work. */
  databasePid: number;
  db: Database;
  /** Connection for a process that reaches the same database without the product. */
  databaseUrl: string;
  another(role: "web" | "worker" | "all"): Promise<Server>;
}

/** Creates a migrated database with the demo companies, with or without a web process in front of it. */
export async function startServer(role: "web" | "none" = "web"): Promise<BenchServer> {
  const { folder, remove } = temporaryFolder();
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  const { host, port, user, database } = postgres.connection;
  const databaseUrl = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  const started: Server[] = [];
  async function another(kind: "web" | "worker" | "all"): Promise<Server> {
    const server = await createMalote({
      DATABASE_URL: databaseUrl,
      MALOTE_ROLE: kind,
      MALOTE_SECRET: benchSecret,
      MALOTE_LOG: "error",
      MALOTE_METRICS_TOKEN: "metrics for benches",
    });
    started.push(server);
    await server.start();
    return server;
  }
  const db = openDatabase({ ...postgres.connection, max: 4 });
  if (role === "none") {
    await migrate(postgres.connection);
    await seedDemo(db, movableClock());
  }
  const server = role === "none" ? undefined : await another(role);
  return {
    url: server?.url ?? "",
    pid: server?.pid() ?? 0,
    databasePid: Number(readFileSync(join(folder, "postgres/cluster/postmaster.pid"), "utf8").split("\n")[0]),
    db,
    databaseUrl,
    another,
    async [Symbol.asyncDispose]() {
      for (const one of started) await one.stop();
      await db.close();
      await postgres.stop();
      remove();
    },
  };
}

export interface Person {
  companyId: string;
  userId: string;
  headers: Record<string, string>;
}

/** Returns an admin of each company with an open session. */
export async function signInEverybody(db: Database, companyIds: readonly string[]): Promise<Person[]> {
  const clock = movableClock();
  const tokens = openTokens({ secrets: openSecrets(benchSecret), clock });
  const people: Person[] = [];
  for (const companyId of companyIds) {
    const token = await db.withCompany(companyId, async (tx) => {
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM users WHERE company_id = ${companyId} AND profile = 'admin' LIMIT 1
      `.execute(tx);
      const userId = rows[0]?.id ?? "";
      const bearer = await findBearerOfUser(tx, userId);
      if (!bearer) throw new Error(`${companyId} has no admin`);
      const [sessionId, tokenId] = [uuidv7(), uuidv7()];
      await sql`
        INSERT INTO sessions (company_id, id, user_id, session_version, token_id, renewed_at, created_at, expires_at)
        VALUES (${companyId}, ${sessionId}, ${userId}, ${bearer.sessionVersion}, ${tokenId}, now(), now(), now() + interval '1 day')
      `.execute(tx);
      const claims = claimsOf(bearer, { kind: "user", sessionId, tokenId, application: "payments" });
      return { userId, text: await tokens.sign(claims) };
    });
    people.push({ companyId, userId: token.userId, headers: { authorization: `Bearer ${token.text}` } });
  }
  return people;
}

/** Creates companies like the first one of the demo, each with an admin, a ledger and a balance in centavos. */
export async function addCompanies({ pool }: Database, count: number, balance: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const like = demoCompanies[0]?.id;
  await pool.query(
    `INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings, created_at)
     SELECT id, 'Companhia ' || id, tax_id, brand, account_agency, account_number, account_digit, settings, now()
     FROM companies, unnest($1::uuid[]) AS id WHERE company_id = $2`,
    [ids, like],
  );
  await pool.query(
    `INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
     SELECT id, uuidv7(), 'Pessoa', id || '@bench.example', 'none', 'admin', ARRAY['payments'], now() FROM unnest($1::uuid[]) AS id`,
    [ids],
  );
  await pool.query("SELECT open_ledger(id) FROM unnest($1::uuid[]) AS id", [ids]);
  await pool.query(
    `SELECT set_config('app.company_id', id::text, false), post_movements(id, now(),
       ARRAY[ROW(uuidv7(), 'DEPOSIT', 'bench', 'pix_in', 'available', $2::bigint, 'Pix', '{}'::jsonb)::movement])
     FROM unnest($1::uuid[]) AS id`,
    [ids, balance],
  );
  return ids;
}

export interface Draft {
  companyId: string;
  batchId: string;
}

/** Creates drafts of valid payments of one real for each company, in two statements. */
export async function addDrafts(
  { pool }: Database,
  companyIds: readonly string[],
  { drafts, payments }: { drafts: number; payments: number },
): Promise<Draft[]> {
  const { rows } = await pool.query<{ company_id: string; id: string }>(
    `INSERT INTO batches (company_id, id, name, type, status, created_at, created_by_name, value, payments_count)
     SELECT company, uuidv7(), 'Folha', 'TRANSFER', 'DRAFT', now(), 'bench', $3::int * 100, $3::int
     FROM generate_series(1, $2::int), unnest($1::uuid[]) AS company
     RETURNING company_id, id`,
    [companyIds, drafts, payments],
  );
  await pool.query(
    `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, integration_id, name, tax_id,
       pix_key_type, pix_key, created_at)
     SELECT d.company, uuidv7(), d.batch, n, 'CREATED', 100, 'PIX', d.batch || ' ' || n, 'Pessoa ' || n, lpad(n::text, 11, '0'), 'EMAIL',
            'p' || n || '@exemplo.com.br', now()
     FROM unnest($1::uuid[], $2::uuid[]) AS d (company, batch), generate_series(1, $3::int) n`,
    [rows.map((row) => row.company_id), rows.map((row) => row.id), payments],
  );
  return rows.map((row) => ({ companyId: row.company_id, batchId: row.id }));
}
