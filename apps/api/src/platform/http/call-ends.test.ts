/** Each call has one line in the request log and counts once, also when its client leaves before the answer. */
import { once } from "node:events";
import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { contract } from "@malote/contracts/contract";
import { everyProfile } from "@malote/contracts/policy";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { buildTestApp, type Person, type TestApp } from "../../testing/app.ts";
import { readableLog } from "../../testing/log-lines.ts";
import { audit } from "../audit.ts";
import { readMetrics } from "./metrics.ts";
import type { Serve } from "./serve.ts";

const response = z.object({ ok: z.boolean() });
const base = { base: "payments", policy: everyProfile, response, summary: "x" } as const;
/** Waits until the test lets it go. */
const slowRead = contract({ ...base, id: "slowRead", method: "GET", path: "/slow" });
const quickRead = contract({ ...base, id: "quickRead", method: "GET", path: "/quick" });
const waitingRead = contract({ ...base, id: "waitingRead", method: "GET", path: "/waiting" });
const change = contract({ ...base, id: "change", method: "POST", path: "/change" });
const auditedRead = contract({ ...base, id: "auditedRead", method: "GET", path: "/audited" });
const endless = contract({ ...base, id: "endless", method: "GET", path: "/endless", transport: "stream" });

const { log, lines } = readableLog();
let app: TestApp;
let helena: Person;
let begun = 0;
let letGo = Promise.withResolvers<void>();

function routes({ serve, serveOutside }: Serve, { db }: TestApp["services"]) {
  const done = { ok: true };
  const wait = async () => {
    begun++;
    await letGo.promise;
    return done;
  };
  serve(slowRead, wait);
  serve(quickRead, async () => done);
  serveOutside(waitingRead, { queue: "company" }, async () => done);
  serve(change, async (tx, call) => {
    await wait();
    await audit(tx, call, "sheet_cancelled", call.requestId);
    return done;
  });
  serveOutside(auditedRead, { queue: "company" }, async (call) => {
    await wait();
    await db.withCompany(call.actor.companyId, (tx) =>
      audit(tx, call, "invoice_report_downloaded", call.requestId),
    );
    return done;
  });
  serveOutside(endless, { queue: "none" }, async ({ reply }) => {
    const stream = new PassThrough();
    stream.write("retry: 1000\n\n");
    return reply.type("text/event-stream").send(stream);
  });
}

beforeAll(async () => {
  app = await buildTestApp({ routes: [routes], services: () => ({ log }) });
  helena = await app.as("helena@aurora.example");
  // The queue treats a call as a long one until the first answer, and admits one long call at a time.
  letGo.resolve();
  await helena.call(slowRead);
  await app.server.listen({ port: 0, host: "127.0.0.1" });
});
beforeEach(() => {
  letGo = Promise.withResolvers<void>();
  begun = 0;
});
afterAll(() => app.close());
afterEach(() => letGo.resolve());

/** Makes a call from a client of its own, which `leave` ends. */
function callFrom(method: string, path: string, id: string) {
  const client = new AbortController();
  const { port } = app.server.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${helena.token}`, "x-request-id": id };
  const answer = fetch(`http://127.0.0.1:${port}/api/payments${path}`, {
    method,
    headers,
    signal: client.signal,
  });
  return {
    async leave() {
      client.abort();
      await expect(answer).rejects.toThrow();
    },
  };
}
const linesOf = (id: string) => lines("request").filter(({ requestId }) => requestId === id);
const statusesOf = (id: string) => linesOf(id).map(({ status }) => status);
async function readCount(method: string, path: string, status: number): Promise<number> {
  const labels = `method="${method}",route="/api/payments${path}",status="${status}"`;
  const text = await readMetrics();
  const line = text.split("\n").find((one) => one.startsWith(`malote_http_request_seconds_count{${labels}}`));
  return Number(line?.split(" ").at(-1) ?? 0);
}
const readTrail = async (id: string) =>
  (await app.services.db.pool.query("SELECT FROM audit_entries WHERE subject_id = $1", [id])).rowCount;

it("a call whose client disconnected has a log line with 499, its company and its person, and counts as 499", async () => {
  const { leave } = callFrom("GET", "/slow", "left-a-read");
  await expect.poll(() => begun).toBe(1);
  await leave();
  await expect.poll(() => statusesOf("left-a-read")).toEqual([499]);
  expect(linesOf("left-a-read")).toMatchObject([
    {
      level: 30,
      method: "GET",
      route: "/api/payments/slow",
      company: expect.any(String),
      actor: expect.any(String),
    },
  ]);
  expect(await readCount("GET", "/slow", 499)).toBe(1);
});

it("a read whose client disconnected before its turn has one log line", async () => {
  const reads = [1, 2, 3].map(() => helena.call(slowRead));
  await expect.poll(() => begun).toBe(3);
  const arrived = once(app.server.server, "request");
  const { leave } = callFrom("GET", "/waiting", "left-the-queue");
  await arrived;
  await leave();
  await expect.poll(() => statusesOf("left-the-queue")).toEqual([499]);
  letGo.resolve();
  await Promise.all(reads);
  expect((await helena.call(quickRead)).status).toBe(200);
  expect(statusesOf("left-the-queue")).toEqual([499]);
  expect(await readCount("GET", "/waiting", 499)).toBe(1);
});

it.each([
  ["a change", "POST", "/change", "left-a-change"],
  ["an audited read", "GET", "/audited", "left-an-audited-read"],
])(
  "%s whose client disconnected is carried out and audited, with one log line",
  async (_, method, path, id) => {
    const { leave } = callFrom(method, path, id);
    await expect.poll(() => begun).toBe(1);
    await leave();
    await expect.poll(() => statusesOf(id)).toEqual([499]);
    expect(await readTrail(id)).toBe(0);
    letGo.resolve();
    await expect.poll(() => readTrail(id)).toBe(1);
    expect((await helena.call(quickRead)).status).toBe(200);
    expect(statusesOf(id)).toEqual([499]);
    expect(await readCount(method, path, 499)).toBe(1);
    expect(await readCount(method, path, 200)).toBe(0);
  },
);

it("an answered call whose client then disconnected has one log line and counts once", async () => {
  const { port } = app.server.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${helena.token}`, "x-request-id": "answered-call" };
  const at = { port, host: "127.0.0.1", agent: false, headers };
  const before = await readCount("GET", "/quick", 200);
  const [answer] = await once(get({ ...at, path: "/api/payments/quick" }), "response");
  answer.resume();
  await once(answer, "close");
  await expect.poll(() => statusesOf("answered-call")).toEqual([200]);
  expect(await readCount("GET", "/quick", 200)).toBe(before + 1);
  expect(await readCount("GET", "/quick", 499)).toBe(0);
});

it("a stream that its page closed has its initial status", async () => {
  const client = new AbortController();
  const { port } = app.server.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${helena.token}`, "x-request-id": "closed-stream" };
  const answer = await fetch(`http://127.0.0.1:${port}/api/payments/endless`, {
    headers,
    signal: client.signal,
  });
  await answer.body?.getReader().read();
  client.abort();
  await expect.poll(() => statusesOf("closed-stream")).toEqual([200]);
});
