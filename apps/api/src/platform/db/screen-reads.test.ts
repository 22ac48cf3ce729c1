import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies } from "../../adapters/sandbox/demo/seed.ts";
import { openOneConnection } from "../../testing/one-connection.ts";
import { statementsIn } from "./batch.ts";
import { type Database, openDatabase, type Tx } from "./database.ts";
import { BearerChanged, type BearerCheck } from "./screen-reads.ts";

const [aurora, horizonte] = demoCompanies.map(({ id }) => id) as [string, string];
/** The reads share one connection, so each gets what the previous one left on it. */
let db: Database;
beforeAll(async () => {
  db = await openOneConnection();
});
afterAll(() => db.close());

// The query has no condition of its own: only row security separates the companies.
const companies = async (tx: Tx) => {
  const { rows } = await sql<{ company_id: string }>`SELECT company_id FROM companies`.execute(tx);
  return rows.map(({ company_id }) => company_id);
};
const fetchConnection = async (tx: Tx) => {
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx);
  return rows[0]?.pid;
};
const divideByZero = (tx: Tx) => sql`SELECT 1 / 0`.execute(tx);

it("shows only rows of its own company, however often a connection changes the company", async () => {
  for (let round = 0; round < 8; round++)
    for (const id of [aurora, horizonte, horizonte])
      expect(await db.readForScreen(id, companies)).toEqual([id]);
  const together = [aurora, horizonte, aurora].map((id) => db.readForScreen(id, companies));
  expect(await Promise.all(together)).toEqual([[aurora], [horizonte], [aurora]]);
});

it("refuses to write, and refuses an invalid company", async () => {
  const rename = (tx: Tx) => sql`UPDATE companies SET name = name`.execute(tx);
  await expect(db.readForScreen(aurora, rename)).rejects.toMatchObject({ code: "25006" });
  await expect(db.readForScreen("x'; RESET ROLE; --", companies)).rejects.toMatchObject({ code: "22P02" });
  expect(await db.readForScreen(aurora, companies)).toEqual([aurora]);
});

it("does not use a connection whose company could not be set", async () => {
  const before = await db.readForScreen(aurora, fetchConnection);
  const unlucky = openDatabase({ ...db.pool.options, max: 1 });
  unlucky.readers.on("connect", (client) => {
    const query = client.query.bind(client) as (requested: unknown) => unknown;
    const without = (requested: unknown) => {
      for (const statement of statementsIn(requested))
        if (statement.text.includes("set_config")) statement.text = "SELECT 1 / 0 WHERE $1 <> ''";
      return query(requested);
    };
    client.query = without as unknown as typeof client.query;
  });
  await expect(unlucky.readForScreen(aurora, companies)).rejects.toMatchObject({ code: "22012" });
  expect(unlucky.readers.totalCount).toBe(0);
  await unlucky.close();
  expect(await db.readForScreen(aurora, fetchConnection)).toBe(before);
});

it("refuses a connection that is not to PostgreSQL itself, and says what to set", async () => {
  const pooled = openDatabase({ ...db.pool.options, max: 1 });
  pooled.readers.on("connect", (client) => Object.assign(client, { processID: 4_711 }));
  for (const requested of [pooled.requireOwnReaders(), pooled.readForScreen(aurora, companies)])
    await expect(requested).rejects.toThrow("MALOTE_DIRECT_DATABASE_URL");
  await pooled.close();
  await expect(db.requireOwnReaders()).resolves.toBeUndefined();
});

it("keeps a connection on which a statement failed, and closes an interrupted one", async () => {
  const pid = await db.readForScreen(aurora, fetchConnection);
  await expect(db.readForScreen(aurora, divideByZero)).rejects.toMatchObject({ code: "22012" });
  expect(await db.readForScreen(aurora, fetchConnection)).toBe(pid);
  const cut = db.readForScreen(aurora, async (tx) => {
    await db.pool.query("SELECT pg_terminate_backend($1)", [pid]);
    await fetchConnection(tx);
  });
  await expect(cut).rejects.toThrow();
  expect(await db.readForScreen(aurora, fetchConnection)).not.toBe(pid);
});

it("ends the rest of a failed read before the next one, and answers that immediately", async () => {
  const pid = await db.readForScreen(aurora, fetchConnection);
  const slow = (tx: Tx) => sql`SELECT pg_sleep(4)`.execute(tx);
  const fails = async () => {
    await setImmediate();
    throw Object.assign(new Error("after it has asked twice"), { code: "22012" });
  };
  const failing = db.readForScreen(aurora, (tx) =>
    Promise.all([slow(tx), setImmediate().then(() => slow(tx)), fails()]),
  );
  const next = db.readForScreen(horizonte, async (tx) => [await fetchConnection(tx), await companies(tx)]);
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  const { rows } = await db.pool.query("SELECT state FROM pg_stat_activity WHERE pid = $1", [pid]);
  expect(rows).toEqual([]);
  expect(await next).toEqual([expect.not.objectContaining({ pid }), [horizonte]]);
  expect(await db.readForScreen(aurora, fetchConnection)).not.toBe(pid);
});

it("keeps a connection whose other statements are answered a moment later", async () => {
  const pid = await db.readForScreen(aurora, fetchConnection);
  const failing = db.readForScreen(aurora, (tx) => Promise.all([divideByZero(tx), companies(tx)]));
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  expect(await db.readForScreen(aurora, fetchConnection)).toBe(pid);
});

it("refuses a statement after its end, when another transaction has the connection", async () => {
  const ended = await db.readForScreen(aurora, (tx) => Promise.resolve(tx));
  await expect(companies(ended)).rejects.toThrow("after the end");
});

it("renews its plans when a table is changed", async () => {
  const all = (tx: Tx) => sql`SELECT * FROM bank_holidays_of_a_test`.execute(tx);
  await db.pool.query("CREATE TABLE bank_holidays_of_a_test (day date)");
  await db.pool.query("GRANT SELECT ON bank_holidays_of_a_test TO malote_app");
  await db.readForScreen(aurora, all);
  await db.pool.query("ALTER TABLE bank_holidays_of_a_test ADD COLUMN name text");
  await expect(db.readForScreen(aurora, all)).resolves.toMatchObject({ rows: [] });
});

it("plans a statement once on a connection, and again if its batch failed", async () => {
  const named = (tx: Tx) => sql<{ three: number }>`SELECT 1 + 2 AS three, 'planned once' AS what`.execute(tx);
  const plans = async (tx: Tx) => {
    const { rows } = await sql<{ calls: number }>`
      SELECT (generic_plans + custom_plans)::int AS calls FROM pg_prepared_statements WHERE statement LIKE '%planned once%'
    `.execute(tx);
    return rows.map(({ calls }) => calls);
  };
  const behind = db.readForScreen(aurora, (tx) => Promise.all([divideByZero(tx), named(tx)]));
  await expect(behind).rejects.toMatchObject({ code: "22012" });
  for (let n = 0; n < 3; n++)
    expect((await db.readForScreen(aurora, named)).rows).toEqual([{ three: 3, what: "planned once" }]);
  // The list includes this query itself.
  expect(await db.readForScreen(aurora, plans)).toEqual(expect.arrayContaining([3]));
});

it("returns each statement of a batch its own rows, or none, and refuses a number above the safe maximum", async () => {
  const three = (tx: Tx) =>
    Promise.all([
      sql`SELECT n, NULL AS nothing FROM generate_series(1, 2) n`.execute(tx),
      sql`SELECT 1 AS one WHERE false`.execute(tx),
      sql`SELECT ${[1, 2]}::int[] AS many, ${{ a: 1 }}::jsonb AS json, true AS yes`.execute(tx),
    ]);
  for (let n = 0; n < 2; n++)
    expect((await db.readForScreen(aurora, three)).map(({ rows }) => rows)).toEqual([
      [
        { n: 1, nothing: null },
        { n: 2, nothing: null },
      ],
      [],
      [{ many: [1, 2], json: { a: 1 }, yes: true }],
    ]);
  const tooLarge = (tx: Tx) => sql`SELECT 9007199254740993::bigint AS n`.execute(tx);
  await expect(db.readForScreen(aurora, tooLarge)).rejects.toThrow("a number beyond");
  const noText = (tx: Tx) => sql`SELECT ${{ toPostgres: () => JSON.parse("no text") }}::text`.execute(tx);
  await expect(db.readForScreen(aurora, noText)).rejects.toThrow();
  expect(await db.readForScreen(aurora, companies)).toEqual([aurora]);
});

it("keeps its company, whatever statement failed afterwards", async () => {
  const failing = (id: string) => db.readForScreen(id, divideByZero).catch(() => undefined);
  for (const id of [horizonte, aurora, horizonte]) {
    await failing(id);
    expect(await db.readForScreen(id, companies)).toEqual([id]);
  }
});

const checkThat =
  (holds: boolean): BearerCheck =>
  async (tx) => {
    const { rows } = await sql<{ holds: boolean }>`SELECT ${holds}::boolean AS holds`.execute(tx);
    return rows[0]?.holds === true;
  };

it("discards the results if the check of the caller fails, also if the read itself failed", async () => {
  expect(await db.readForScreen(aurora, companies, checkThat(true))).toEqual([aurora]);
  await expect(db.readForScreen(aurora, companies, checkThat(false))).rejects.toThrow(BearerChanged);
  await expect(db.readForScreen(aurora, divideByZero, checkThat(false))).rejects.toThrow(BearerChanged);
  await expect(db.readForScreen(aurora, divideByZero, checkThat(true))).rejects.toMatchObject({
    code: "22012",
  });
});

it("sends the company, the check and the reads in one write", async () => {
  const watched = openDatabase({ ...db.pool.options, max: 1 });
  let writes = 0;
  watched.readers.on("connect", (client) => {
    const { stream } = (client as unknown as { connection: { stream: import("node:net").Socket } })
      .connection;
    const { uncork } = stream;
    stream.uncork = () => {
      if (stream.writableCorked === 1) writes++;
      uncork.call(stream);
    };
  });
  await watched.readForScreen(aurora, companies);
  writes = 0;
  await watched.readForScreen(
    horizonte,
    (tx) => Promise.all([companies(tx), companies(tx)]),
    checkThat(true),
  );
  expect(writes).toBe(1);
  await watched.close();
});
