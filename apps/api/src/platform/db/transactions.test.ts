import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { from as copyFrom } from "pg-copy-streams";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies } from "../../adapters/sandbox/demo/seed.ts";
import { openOneConnection } from "../../testing/one-connection.ts";
import { type Database, openDatabase, type Tx } from "./database.ts";

const [aurora, horizonte] = demoCompanies.map(({ id }) => id) as [string, string];
let db: Database;
beforeAll(async () => {
  db = await openOneConnection();
});
afterAll(() => db.close());

const readIds = (companyId: string) =>
  db.readCompany(companyId, async (tx) => {
    const { rows } = await sql<{ company_id: string }>`SELECT company_id FROM companies`.execute(tx);
    return rows.map(({ company_id }) => company_id);
  });

it("reads only rows of its own company in consecutive transactions", async () => {
  const all = await Promise.all([aurora, horizonte, aurora, horizonte].map(readIds));
  expect(all).toEqual([[aurora], [horizonte], [aurora], [horizonte]]);
});

it("refuses to write, and leaves a connection that can write", async () => {
  const rename = sql`UPDATE companies SET name = name`;
  await expect(db.readCompany(aurora, (tx) => rename.execute(tx))).rejects.toMatchObject({ code: "25006" });
  await expect(db.withCompany(aurora, (tx) => rename.execute(tx))).resolves.toMatchObject({});
});

it("passes on an error, and refuses an invalid company", async () => {
  await expect(db.readCompany(aurora, () => Promise.reject(new Error("not so")))).rejects.toThrow("not so");
  await expect(db.readCompany("x'; RESET ROLE; --", () => Promise.resolve())).rejects.toThrow("company id");
  expect(await readIds(aurora)).toEqual([aurora]);
});

const fetchName = (tx: Tx) =>
  sql<{ name: string }>`SELECT name FROM companies`.execute(tx).then(({ rows }) => rows[0]?.name);
const rename = (tx: Tx, name: string) => sql`UPDATE companies SET name = ${name}`.execute(tx);

it("discards the results if the transaction never began", async () => {
  const unlucky = openDatabase({ ...db.pool.options, max: 1 });
  unlucky.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const without = (text: unknown, ...more: unknown[]) =>
      query(String(text).startsWith("BEGIN") ? "SELECT 1 / 0" : text, ...more);
    client.query = without as typeof client.query;
  });
  await expect(unlucky.readCompany(aurora, fetchName)).rejects.toMatchObject({ code: "22012" });
  await unlucky.close();
});

it("runs statements that were started together in their order", async () => {
  const names = await db.withCompany(aurora, async (tx) => {
    const before = await fetchName(tx);
    const [, first, , second] = await Promise.all([
      rename(tx, "Um"),
      fetchName(tx),
      rename(tx, "Dois"),
      fetchName(tx),
      rename(tx, before ?? ""),
    ]);
    return [first, second, (await fetchName(tx)) === before];
  });
  expect(names).toEqual(["Um", "Dois", true]);
});

it("sends statements that were started together before the first answer arrives", async () => {
  const watched = openDatabase({ ...db.pool.options, max: 1 });
  const entries: string[] = [];
  watched.pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const recording = (...given: unknown[]) => {
      entries.push(client.pipeline ? "sent" : "held back");
      return query(...given).finally(() => entries.push("answered"));
    };
    client.query = recording as typeof client.query;
  });
  await watched.readCompany(aurora, (tx) => Promise.all([fetchName(tx), fetchName(tx)]));
  // The write holds BEGIN and both statements.
  expect(entries.slice(0, 4)).toEqual(["sent", "sent", "sent", "answered"]);
  await watched.close();
});

it("rolls back statements that were sent with a failed one, and leaves a working connection", async () => {
  const before = await db.readCompany(aurora, fetchName);
  const together = db.withCompany(aurora, (tx) =>
    Promise.all([rename(tx, "Antes"), sql`SELECT 1 / 0`.execute(tx), rename(tx, "Depois")]),
  );
  await expect(together).rejects.toMatchObject({ code: "22012" });
  expect(await db.readCompany(aurora, fetchName)).toBe(before);
});

/** Fails with the error of the last statement, as a caller does that receives that one first. */
async function awaitLastFirst(statements: Promise<unknown>[]) {
  const last = (await Promise.allSettled(statements)).at(-1);
  if (last?.status === "rejected") throw last.reason;
}

it("reports the cause, whichever of the statements that were sent together is answered first", async () => {
  const failing = db.withCompany(aurora, (tx) =>
    awaitLastFirst([sql`SELECT 1 / 0`.execute(tx), fetchName(tx), fetchName(tx)]),
  );
  await expect(failing).rejects.toMatchObject({ code: "22012" });
});

it("retries after a deadlock, whichever of the statements that were sent together is answered first", async () => {
  let tries = 0;
  await db.withCompany(aurora, async (tx) => {
    if (tries++ > 0) return;
    await awaitLastFirst([sql`DO $$ BEGIN RAISE deadlock_detected; END $$`.execute(tx), fetchName(tx)]);
  });
  expect(tries).toBe(2);
});

it("does not report statements after a failed one as done", async () => {
  const before = await db.readCompany(aurora, fetchName);
  const goingOn = db.withCompany(aurora, async (tx) => {
    await rename(tx, "Quase");
    await sql`SELECT 1 / 0`.execute(tx).catch(() => undefined);
  });
  await expect(goingOn).rejects.toThrow("continued after");
  expect(await db.readCompany(aurora, fetchName)).toBe(before);
});

it("refuses a statement after the end of its transaction, when another transaction has the connection", async () => {
  const ended = await db.withCompany(aurora, (tx) => Promise.resolve(tx));
  await expect(fetchName(ended)).rejects.toThrow("after the end");
  const failed: Tx[] = [];
  const failing = db.withCompany(aurora, async (tx) => {
    failed.push(tx);
    throw new Error("not so");
  });
  await expect(failing).rejects.toThrow("not so");
  await expect(Promise.all(failed.map(fetchName))).rejects.toThrow("after the end");
});

it("accepts rows by COPY between other statements, and continues after an interrupted COPY", async () => {
  const stagedBy = (lines: Readable) =>
    db.withCompany(aurora, async (tx) => {
      await sql`CREATE TEMP TABLE staged (line text) ON COMMIT DROP`.execute(tx);
      await pipeline(lines, tx.stream(copyFrom("COPY staged FROM STDIN")));
      const { rows } = await sql<{ line: string }>`SELECT line FROM staged ORDER BY line`.execute(tx);
      return rows.map(({ line }) => line);
    });
  expect(await stagedBy(Readable.from(["a\nb\n", "c\n"]))).toEqual(["a", "b", "c"]);
  const cut = Readable.from(
    (function* () {
      yield "a\n";
      throw new Error("the reader fell");
    })(),
  );
  await expect(stagedBy(cut)).rejects.toThrow("the reader fell");
  expect(await stagedBy(Readable.from(["d\n"]))).toEqual(["d"]);
});
