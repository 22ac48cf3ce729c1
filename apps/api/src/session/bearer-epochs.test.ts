/** A cached reader is identified by one value, which every change of a token's facts replaces. */
import { createCheckpoint } from "@malote/contracts/company";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { databaseBefore } from "../testing/migration-kit.ts";

let app: TestApp;
let helena: Person;
const [aurora, horizonte] = demoCompanies.map(({ id }) => id) as [string, string];
beforeAll(async () => {
  app = await buildTestApp();
  helena = await app.as("helena@aurora.example");
});
afterAll(() => app.close());

const query = (text: string, values: unknown[]) => app.services.db.pool.query(text, values);
async function fetchEpoch(companyId: string): Promise<string> {
  const { rows } = await query("SELECT epoch FROM bearer_epochs WHERE company_id = $1", [companyId]);
  return rows[0]?.epoch;
}

it.each([
  ["a person's name", "UPDATE users SET name = name || '!'"],
  ["a role", "UPDATE users SET profile = 'analyst'"],
  ["a password, by its version", "UPDATE users SET session_version = session_version + 1"],
  ["a second factor", "UPDATE users SET two_factor_at = now()"],
  ["applications", "UPDATE users SET applications = '{payments}'"],
  ["a removed person", "UPDATE users SET removed_at = now()"],
  ["a session that ends", "UPDATE sessions SET ended_at = now()"],
  ["a session whose end moves", "UPDATE sessions SET expires_at = now()"],
  ["a revoked credential", "UPDATE api_credentials SET revoked_at = now()"],
  ["what the company sets", "UPDATE companies SET settings = settings || '{\"requiresTwoFactor\": true}'"],
  ["what the company may", "UPDATE companies SET permissions = '{}'"],
  ["flags of the company", "UPDATE companies SET feature_flags = '{}'"],
])("changes after %s, and another person's does not", async (_what, update) => {
  const [before, neighbour] = [await fetchEpoch(aurora), await fetchEpoch(horizonte)];
  expect(before).toBeDefined();
  const client = await app.services.db.pool.connect();
  // Later tests need its rows.
  await client.query("BEGIN");
  await client.query("SELECT set_config('app.company_id', $1, true)", [aurora]);
  const { rowCount } = await client.query(`${update} WHERE company_id = $1`, [aurora]);
  expect(rowCount).toBeGreaterThan(0);
  await client.query("SET CONSTRAINTS ALL IMMEDIATE");
  const { rows } = await client.query(
    "SELECT company_id, epoch FROM bearer_epochs WHERE company_id = ANY($1)",
    [[aurora, horizonte]],
  );
  await client.query("ROLLBACK");
  client.release();
  const after = new Map(rows.map((row) => [row.company_id, row.epoch]));
  expect(after.get(aurora)).not.toBe(before);
  expect(after.get(horizonte)).toBe(neighbour);
});

it("uses the cached caller, and reads the caller again if something changed between two reads", async () => {
  const balance = () => helena.get("/api/payments/statement/balance");
  const requested = countBearerQuestions();
  expect((await balance()).status).toBe(200);
  expect((await balance()).status).toBe(200);
  const before = requested.count;
  expect((await balance()).status).toBe(200);
  expect(requested.count).toBe(before);
  await query("UPDATE users SET name = 'Helena M.' WHERE company_id = $1 AND name LIKE 'Helena%'", [aurora]);
  const me = await helena.get("/api/payments/user/me");
  expect(me.body.name).toBe("Helena M.");
  expect(requested.count).toBe(before + 1);
});

it("answers 401 to the next read after the end of the session, and 403 after the end of the role", async () => {
  const marcos = await app.as("marcos@horizonte.example");
  const users = () => marcos.get("/api/payments/user");
  expect((await users()).status).toBe(200);
  const role = "UPDATE users SET profile = $2 WHERE company_id = $1 AND email = 'marcos@horizonte.example'";
  await query(role, [horizonte, "analyst"]);
  expect((await users()).status).toBe(403);
  await query(role, [horizonte, "admin"]);
  // A refusal is never based on remembered facts.
  expect((await users()).status).toBe(200);
  await query("UPDATE sessions SET ended_at = now() WHERE company_id = $1", [horizonte]);
  expect((await users()).status).toBe(401);
});

it("lets an ended session write nothing, and answers 401 before reporting mistakes of the call", async () => {
  const marcos = await app.as("marcos@horizonte.example");
  const mark = (location: unknown) => marcos.call(createCheckpoint, { body: { location } });
  expect((await mark("HAS_OPENED_PAYMENT")).status).toBe(200);
  const requested = countBearerQuestions();
  expect((await mark("HAS_CREATED_REPORT")).status).toBe(200);
  expect((await mark("nowhere")).status).toBe(400);
  // A cached caller is checked once more before they learn what was wrong.
  expect(requested.count).toBe(1);
  await query("UPDATE sessions SET ended_at = now() WHERE company_id = $1", [horizonte]);
  expect((await mark("HAS_DOWNLOADED_REPORT")).status).toBe(401);
  expect((await mark("nowhere")).status).toBe(401);
  const { rows } = await query(
    "SELECT user_id FROM checkpoints WHERE company_id = $1 AND checkpoint_id = 'HAS_DOWNLOADED_REPORT'",
    [horizonte],
  );
  expect(rows).toEqual([]);
});

it("reads the caller again once the session expired by its age", async () => {
  const marcos = await app.as("marcos@horizonte.example");
  const me = async () => (await marcos.get("/api/payments/user/me")).status;
  expect(await me()).toBe(200);
  const soon = new Date(app.clock.now().getTime() + 1_000);
  await query("UPDATE sessions SET expires_at = $2 WHERE company_id = $1", [horizonte, soon]);
  expect(await me()).toBe(200);
  app.clock.advance({ seconds: 1 });
  expect(await me()).toBe(401);
});

it("0131 gives an epoch to each existing company", async () => {
  const old = await databaseBefore("0131");
  try {
    const company = await old.company();
    await old.upTo();
    expect(await old.query("SELECT company_id FROM bearer_epochs")).toEqual([{ company_id: company }]);
  } finally {
    await old.close();
  }
});

function countBearerQuestions() {
  const requested = { count: 0 };
  const pool = app.services.db.pool as unknown as { query(...given: unknown[]): unknown };
  const runQuery = pool.query.bind(pool);
  pool.query = (...given) => {
    if (JSON.stringify(given[0]).includes("bearer_of_session")) requested.count++;
    return runQuery(...given);
  };
  return requested;
}
