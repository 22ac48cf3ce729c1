/** Heavy reads of a company delay only that company, never another one or the movement of money. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { contract } from "@malote/contracts/contract";
import { everyProfile } from "@malote/contracts/policy";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { buildTestApp, type Person, type TestApp } from "../../testing/app.ts";
import type { Serve } from "./serve.ts";

const response = z.object({ ok: z.boolean() });
const base = { base: "payments", policy: everyProfile, response, summary: "x" } as const;
/** Waits in the database until the test releases it. */
const slowRead = contract({ ...base, id: "slowRead", method: "GET", path: "/slow" });
const quickRead = contract({ ...base, id: "quickRead", method: "GET", path: "/quick" });
const endlessRead = contract({ ...base, id: "endlessRead", method: "GET", path: "/endless" });
const money = contract({ ...base, id: "money", method: "POST", path: "/money", idempotent: true });
const waitingWhole = contract({ ...base, id: "waitingWhole", method: "GET", path: "/whole" });
const waitingInSteps = contract({ ...base, id: "waitingInSteps", method: "GET", path: "/steps" });
const waitingNowhere = contract({ ...base, id: "waitingNowhere", method: "GET", path: "/nowhere" });

let app: TestApp;
let aurora: Person;
let colleague: Person;
let horizonte: Person;
let running = 0;
let most = 0;
let begun: string[] = [];
let letGo = Promise.withResolvers<void>();

function routes({ serve, serveOutside }: Serve) {
  const done = { ok: true };
  serve(slowRead, async () => {
    most = Math.max(most, ++running);
    await letGo.promise;
    running--;
    return done;
  });
  serve(quickRead, async () => done);
  serve(endlessRead, async (tx) => {
    await sql`SELECT pg_sleep(60)`.execute(tx);
    return done;
  });
  serve(money, async () => done);
  serveOutside(waitingWhole, { queue: "company" }, async () => {
    begun.push("whole");
    return done;
  });
  serveOutside(waitingInSteps, { queue: "steps" }, ({ inCompanyQueue }) => {
    begun.push("steps");
    return inCompanyQueue(async () => {
      begun.push("first step");
      return done;
    });
  });
  serveOutside(waitingNowhere, { queue: "none" }, async () => done);
}

beforeAll(async () => {
  app = await buildTestApp({ routes: [routes] });
  [aurora, colleague, horizonte] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("rui@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterAll(() => app.close());
afterEach(() => {
  letGo.resolve();
  letGo = Promise.withResolvers<void>();
  most = 0;
  begun = [];
});

/** Calls the slow read alone, so that its duration is remembered. */
async function hasTaken(person: Person, ms: number) {
  const requested = person.call(slowRead);
  await expect.poll(() => running).toBe(1);
  app.clock.advance({ ms });
  letGo.resolve();
  expect((await requested).status).toBe(200);
  letGo = Promise.withResolvers<void>();
  most = 0;
}

it("runs three of a company's reads at a time, and meanwhile answers another company and moves money", async () => {
  await hasTaken(aurora, 50);
  const slow = Array.from({ length: 40 }, () => aurora.call(slowRead));
  const answers = await Promise.all(Array.from({ length: 20 }, () => horizonte.call(quickRead)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const paid = await aurora.call(money, {}, { "idempotency-key": randomUUID() });
  expect(paid.status).toBe(200);
  expect([running, most]).toEqual([3, 3]);
  letGo.resolve();
  expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(most).toBe(3);
});

it("lets a call with its own transactions wait as it declares: whole, in steps or not at all", async () => {
  const reads = [1, 2, 3].map(() => aurora.call(slowRead));
  await expect.poll(() => running).toBe(3);
  const waiting = [aurora.call(waitingWhole), aurora.call(waitingInSteps)];
  expect((await aurora.call(waitingNowhere)).status).toBe(200);
  await expect.poll(() => begun).toEqual(["steps"]);
  letGo.resolve();
  for (const { status } of await Promise.all([...reads, ...waiting])) expect(status).toBe(200);
  expect(begun.toSorted()).toEqual(["first step", "steps", "whole"]);
});

it("neither begins nor records a waiting read whose client disconnected", async () => {
  await app.server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.server.address() as AddressInfo;
  const refusals = async () =>
    (await app.services.db.pool.query("SELECT FROM audit_entries WHERE action = 'call_refused'")).rowCount;
  const [before, reads] = [await refusals(), [1, 2, 3].map(() => aurora.call(slowRead))];
  await expect.poll(() => running).toBe(3);
  const client = new AbortController();
  const arrived = Promise.withResolvers<ServerResponse>();
  app.server.server.once("request", (_request, response) => arrived.resolve(response));
  const headers = { authorization: `Bearer ${aurora.token}` };
  const left = fetch(`http://127.0.0.1:${port}/api/payments/whole`, { headers, signal: client.signal });
  const response = await arrived.promise;
  client.abort();
  await expect(left).rejects.toThrow();
  await expect.poll(() => response.statusCode).toBe(499);
  letGo.resolve();
  await Promise.all(reads);
  expect((await aurora.call(quickRead)).status).toBe(200);
  expect(begun).toEqual([]);
  expect(await refusals()).toBe(before);
});

it("refuses more than a person or a company may have in the queue, and reports when to retry", async () => {
  await hasTaken(aurora, 50);
  const own = Array.from({ length: 90 }, () => aurora.call(slowRead));
  const slow = [...own, ...Array.from({ length: 30 }, () => colleague.call(slowRead))];
  const first = await Promise.race(slow);
  expect(first).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
  expect(first.headers["retry-after"]).toBe("2");
  expect((await horizonte.call(quickRead)).status).toBe(200);
  let refused = 0;
  for (const call of slow) void call.then(({ status }) => (refused += status === 429 ? 1 : 0));
  await expect.poll(() => refused).toBe(17);
  letGo.resolve();
  const statuses = (await Promise.all(slow)).map(({ status }) => status);
  expect(statuses.slice(0, 90).filter((status) => status === 200)).toHaveLength(83);
  expect(statuses.filter((status) => status === 200)).toHaveLength(103);
  expect(statuses.filter((status) => status === 429)).toHaveLength(17);
});

it("runs one of a company's long reads at a time, and meanwhile answers its short ones and another company", async () => {
  expect((await aurora.call(quickRead)).status).toBe(200);
  await hasTaken(horizonte, 50);
  await hasTaken(aurora, 200);
  const long = Array.from({ length: 40 }, () => aurora.call(slowRead));
  await expect.poll(() => running).toBe(1);
  const short = await Promise.all(Array.from({ length: 20 }, () => aurora.call(quickRead)));
  expect(new Set(short.map(({ status }) => status))).toEqual(new Set([200]));
  expect([running, most]).toEqual([1, 1]);
  const neighbours = Array.from({ length: 3 }, () => horizonte.call(slowRead));
  await expect.poll(() => running).toBe(4);
  letGo.resolve();
  const statuses = (await Promise.all([...long, ...neighbours])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it("ends a read that exceeds the maximum duration, with a sentence", async () => {
  const answer = await aurora.call(endlessRead);
  expect(answer).toMatchObject({ status: 503, body: { code: "read_too_slow" } });
  expect(answer.body.message).toMatch(/demorou demais/);
});
