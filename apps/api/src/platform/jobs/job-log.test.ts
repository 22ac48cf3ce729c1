/** A request, its job and the adapter's call: the ids that are passed on, and the log lines with them. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createUser } from "@malote/contracts/users";
import {
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, it } from "vitest";
import { observed } from "../../adapters/observed.ts";
import type { Mail } from "../../ports/mailer.ts";
import { jobs as jobQueues } from "../../registry.ts";
import { buildTestApp, type Person, type TestApp } from "../../testing/app.ts";
import { readableLog } from "../../testing/log-lines.ts";
import { openJobs } from "./jobs.ts";

const auroraId = "01990000-0000-7000-8000-00000000a001";
const { log, lines, text } = readableLog("debug");
/** Trace context that the mailer sees when it is called. */
let traces: Record<string, string>[];
let carrierFails: boolean;
let app: TestApp;
let helena: Person;

beforeEach(async () => {
  traces = [];
  carrierFails = false;
  const mailer = {
    async send(_mail: Mail) {
      const carrier: Record<string, string> = {};
      propagation.inject(context.active(), carrier);
      traces.push(carrier);
      if (carrierFails)
        throw Object.assign(new Error("no such mailbox: joana@exemplo.com.br"), { code: "EENVELOPE" });
    },
  };
  app = await buildTestApp({
    services: async (made) => ({
      log,
      jobs: await openJobs(made.db.pool.options, log, true, jobQueues),
      mailer: observed({ mailer } as never, log).mailer,
    }),
  });
  helena = await app.as("helena@aurora.example");
});
afterEach(() => app.close());

/** Runs the job of one e-mail, which a new person gets; returns the request that enqueued it. */
async function invite(requestId: string, headers: Record<string, string> = {}) {
  const body = {
    name: "Joana Lima",
    email: "joana@exemplo.com.br",
    profile: "analyst",
    applications: ["payments"],
  };
  const answer = await helena.call(createUser, { body }, { "x-request-id": requestId, ...headers });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const ran = Promise.withResolvers<object>();
  await app.services.jobs.work("send-mail", async (data) => {
    ran.resolve(data);
    await jobQueues.get("send-mail")?.run(app.services, data);
  });
  const data = await ran.promise;
  // Waits until running jobs have ended.
  await app.services.jobs.stop();
  return data;
}

const ofRequest = (requestId: string, message: string) =>
  lines(message).filter((line) => line["requestId"] === requestId);

it("names job, queue, company and the request that enqueued it", async () => {
  await invite("pedido-um");
  expect(ofRequest("pedido-um", "job")).toEqual([
    expect.objectContaining({
      level: 30,
      queue: "send-mail",
      job: expect.stringMatching(/^[\da-f-]{36}$/),
      company: auroraId,
      ms: expect.any(Number),
    }),
  ]);
});

it("names the same request and job beside the adapter's call", async () => {
  await invite("pedido-dois");
  const [{ job } = {}] = ofRequest("pedido-dois", "job");
  expect(ofRequest("pedido-dois", "adapter")).toMatchObject([
    { port: "mailer", call: "send", job, queue: "send-mail", company: auroraId },
  ]);
});

it("names them beside a job that failed, and masks its error", async () => {
  carrierFails = true;
  await invite("pedido-tres");
  expect(ofRequest("pedido-tres", "job failed")).toMatchObject([
    { level: 50, queue: "send-mail", company: auroraId, err: { code: "EENVELOPE" } },
  ]);
  expect(text()).not.toContain("joana@");
});

it("passes on the enqueued data, without the added ids", async () => {
  expect(Object.keys(await invite("pedido-quatro")).toSorted()).toEqual(["companyId", "mailId"]);
});

it("carries no trace if no SDK is loaded", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await invite("pedido-cinco", { traceparent });
  expect(traces).toEqual([{}]);
  const { rows } = await app.services.db.pool.query("SELECT data FROM pgboss.job WHERE name = 'send-mail'");
  expect(rows[0].data.origin).toEqual({ requestId: "pedido-cinco" });
});

it("carries the trace of a request to the adapter that its job calls, if an SDK is loaded", async () => {
  const spans = new InMemorySpanExporter();
  loadSdk(spans);
  try {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    await invite("pedido-seis", {
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      baggage: "canario=1",
    });
    expect(traces[0]?.["traceparent"]).toMatch(new RegExp(`^00-${traceId}-`));
    const mine = spans.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
    const parents = new Map(mine.map((span) => [span.spanContext().spanId, span.name]));
    expect(mine.map((span) => [span.name, parents.get(span.parentSpanContext?.spanId ?? "")])).toEqual([
      ["POST /api/payments/user", undefined],
      ["mailer.send", "send-mail"],
      ["send-mail", "POST /api/payments/user"],
    ]);
    expect(ofRequest("pedido-seis", "job")).toMatchObject([{ traceId }]);
  } finally {
    trace.disable();
    propagation.disable();
    context.disable();
  }
});

/** Registers an SDK as an installation would. */
function loadSdk(exporter: InMemorySpanExporter): void {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, task, thisArg, ...args) => storage.run(active, () => task.apply(thisArg, args)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
}
