import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { buildTestApp, type TestApp } from "../../testing/app.ts";
import { healthRoutes } from "./health.ts";
import { createServer } from "./server.ts";
import { endConnectionsWhenClosing, type Readiness, shutDownServer } from "./shut-down.ts";

let app: TestApp;
let readiness: Readiness;
let finishSlow: () => void;
let slowBegan: Promise<void>;
let server: Awaited<ReturnType<typeof createServer>>;
let port: number;

beforeEach(async () => {
  app = await buildTestApp({ seed: false });
  readiness = { accepting: true };
  server = await createServer(app.services);
  endConnectionsWhenClosing(server, readiness);
  healthRoutes(server, app.services, readiness);
  const slow = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  finishSlow = slow.resolve;
  slowBegan = began.promise;
  server.get("/slow", async () => {
    began.resolve();
    await slow.promise;
    return { done: true };
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  port = (server.server.address() as AddressInfo).port;
});
afterEach(async () => {
  vi.useRealTimers();
  finishSlow();
  await server.close();
  await app.close();
});

async function makeCall(path: string, agent?: Agent): Promise<{ answer: IncomingMessage; body: string }> {
  const request = get({ host: "127.0.0.1", port, path, agent });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return { answer, body: await text(answer) };
}

it("fails /readyz first and still answers, each answer ending its connection", async () => {
  const agent = new Agent({ keepAlive: true });
  expect((await makeCall("/healthz", agent)).answer.headers.connection).toBe("keep-alive");

  const noticed = Promise.withResolvers<void>();
  const closed = shutDownServer(server, readiness, noticed.promise);
  const ready = await makeCall("/readyz", agent);
  expect(ready.answer.statusCode).toBe(503);
  expect(ready.answer.headers["retry-after"]).toBe("1");
  const { answer } = await makeCall("/healthz", agent);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers.connection).toBe("close");

  noticed.resolve();
  await closed;
  await expect(makeCall("/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

it("answers calls under way after it stopped listening", async () => {
  const slow = makeCall("/slow", new Agent({ keepAlive: true }));
  await slowBegan;
  const closed = shutDownServer(server, readiness, Promise.resolve());
  // The listening socket is closed when the server reports it; running calls keep their own connections.
  while (server.server.listening) await new Promise(setImmediate);
  await expect(makeCall("/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  finishSlow();
  const { answer, body } = await slow;
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse(body)).toEqual({ done: true });
  // The client keeps its connection open; waiting for it would take longer than a test may.
  await closed;
});

it("answers requests on an accepted connection while closing, and does not refuse them", async () => {
  // The clean-up of idle connections must not run between the first answer and the second request.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const slow = makeCall("/slow", agent);
  // The request waits for the only connection, and is sent after the server began to close.
  const behind = makeCall("/healthz", agent);
  await slowBegan;
  const closed = shutDownServer(server, readiness, Promise.resolve());
  while (server.server.listening) await new Promise(setImmediate);
  finishSlow();
  expect((await slow).answer.statusCode).toBe(200);
  expect((await behind).answer.statusCode).toBe(200);
  vi.advanceTimersByTime(1_000);
  await closed;
});
