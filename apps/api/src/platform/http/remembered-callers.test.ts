/** A cached caller is served only where the database was asked whether their access is unchanged. */
import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { readBalance, withdrawBalance } from "@malote/contracts/statement";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { buildTestApp, type Person, type TestApp } from "../../testing/app.ts";
import { readableLog } from "../../testing/log-lines.ts";
import type { Database } from "../db/database.ts";

let app: TestApp;
let helena: Person;
let drops = false;
const { log, lines } = readableLog();

/** A wrapper for counting or tracing would do this: it passes on only the arguments that it knows. */
const careless = (db: Database): Database =>
  Object.assign(Object.create(db) as Database, {
    withCompany: (id: string, work: never, bearerCheck: never) =>
      drops ? db.withCompany(id, work) : db.withCompany(id, work, bearerCheck),
    readForScreen: (id: string, work: never, bearerCheck: never) =>
      drops ? db.readForScreen(id, work) : db.readForScreen(id, work, bearerCheck),
  });

beforeAll(async () => {
  app = await buildTestApp({ services: ({ db }) => ({ db: careless(db) as never, log }) });
  helena = await app.as("helena@aurora.example");
});
afterAll(() => app.close());
beforeEach(() => {
  drops = false;
});

/** The failure is an internal error in the log. */
const complaints = () =>
  lines().filter((line) => line["level"] === 50 && JSON.stringify(line).includes("bearer was not checked"))
    .length;
const balance = () => helena.call(readBalance);
const about = { params: { id: "HAS_CREATED_REPORT" } } as const;
const isMarked = async () => (await helena.call(readCheckpoint, about)).body;
const calls = [
  ["a read", balance],
  ["a write", () => helena.call(createCheckpoint, { body: { location: "HAS_CREATED_REPORT" } })],
  [
    "a payment",
    () => helena.call(withdrawBalance, { body: { value: 1_00 } }, { "idempotency-key": "one-of-a-kind" }),
  ],
] as const;

it.each(calls)(
  "%s is refused and logged, and does nothing, if a wrapper omits the check of the caller",
  async (_what, makeCall) => {
    expect((await balance()).status).toBe(200);
    const [before, complained] = [await isMarked(), complaints()];
    drops = true;
    expect(await makeCall()).toMatchObject({ status: 500, body: { code: "internal" } });
    drops = false;
    expect(await isMarked()).toEqual(before);
    expect(complaints()).toBe(complained + 1);
  },
);

it("does not answer a read of a person who has signed out, even if a wrapper omits the check of the caller", async () => {
  const rui = await app.as("rui@aurora.example");
  expect((await rui.call(readBalance)).status).toBe(200);
  await app.services.db.pool.query("UPDATE sessions SET ended_at = now()");
  drops = true;
  expect((await rui.call(readBalance)).status).toBe(500);
  drops = false;
  expect((await rui.call(readBalance)).status).toBe(401);
});
