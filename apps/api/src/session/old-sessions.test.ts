import { readMe } from "@malote/contracts/session";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildTestApp, type TestApp } from "../testing/app.ts";
import { deleteOldSessions } from "./session-store.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const sessions = async () => (await app.services.db.pool.query("SELECT id FROM sessions")).rowCount;

it("deletes sessions a month after they ended or expired, and no valid one", async () => {
  const left = await app.as("helena@aurora.example");
  expect((await left.post("/api/login/logout")).status).toBe(200);
  await app.as("rui@aurora.example");
  app.clock.advance({ days: 29 });
  const helena = await app.as("helena@aurora.example");
  await deleteOldSessions(app.services);
  expect(await sessions()).toBe(3);
  app.clock.advance({ days: 1, hours: 11 });
  await deleteOldSessions(app.services);
  expect(await sessions()).toBe(2);
  app.clock.advance({ hours: 2 });
  await deleteOldSessions(app.services);
  expect(await sessions()).toBe(1);
  expect((await helena.call(readMe)).status).toBe(401);
  app.clock.advance({ days: 31 });
  await deleteOldSessions(app.services);
  expect(await sessions()).toBe(0);
});
