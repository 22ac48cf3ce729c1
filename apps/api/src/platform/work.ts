/**
 * The current work: a request, or a job that a request enqueued. Log lines and spans name it automatically, and its ids
 * are passed on: from the request into the data of its jobs, and from there to the adapters.
 *
 * Spans use the OpenTelemetry API. This code includes no SDK; without one, spans cost nothing and are dropped. An
 * installation that loads one (docs/operations.md) receives them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** Source of a job, stored in its data. */
export interface Origin {
  requestId?: string;
  /** W3C trace context, where an SDK is loaded. */
  traceparent?: string;
  tracestate?: string;
}

/** Fields of the work in log lines. */
export interface WorkFields {
  requestId?: string;
  company?: string;
  /** Id of the user or credential. */
  actor?: string;
  queue?: string;
  job?: string;
}

export interface Work {
  fields: WorkFields;
  /** Trace context: the span of the work and its parents. */
  spans: Context;
}

const storage = new AsyncLocalStorage<Work>();
/** Read each time, because an SDK may be loaded later. */
const tracer = () => trace.getTracer("malote");

/** Only these trace headers are read: a caller could set any others. */
const carried = ["traceparent", "tracestate"] as const;

function spansOf(carrier: Record<string, unknown>): Context {
  const known = carried.flatMap((name) =>
    typeof carrier[name] === "string" ? [[name, carrier[name]] as const] : [],
  );
  return propagation.extract(ROOT_CONTEXT, Object.fromEntries(known));
}

export function workOfRequest(requestId: string, method: string, headers: Record<string, unknown>): Work {
  const outer = spansOf(headers);
  const span = tracer().startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { "http.request.method": method, "malote.request_id": requestId } },
    outer,
  );
  return { fields: { requestId }, spans: trace.setSpan(outer, span) };
}

/**
 * Ends the span of a request. Names the route pattern, as in the log, because an address may contain a key or a
 * document.
 */
export function endWorkOfRequest({ spans }: Work, { method, route, status }: RequestFacts): void {
  const span = trace.getSpan(spans);
  span?.updateName(`${method} ${route}`);
  span?.setAttributes({ "http.route": route, "http.response.status_code": status });
  if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end();
}

interface RequestFacts {
  method: string;
  route: string;
  status: number;
}

/** Runs `task` so that all work it starts belongs to this work. */
export function within<T>(work: Work, task: () => T): T {
  return storage.run(work, () => context.with(work.spans, task));
}

/** Sets the actor of the current work, which is known only after the work begins. */
export function actsFor(actor: { id: string; companyId: string }): void {
  const work = storage.getStore();
  if (work) Object.assign(work.fields, { company: actor.companyId, actor: actor.id } satisfies WorkFields);
}

/** Returns the origin for a job's data; undefined when the work comes from no request and belongs to no trace. */
export function originOfWork(): Origin | undefined {
  const work = storage.getStore();
  if (!work) return undefined;
  const { requestId } = work.fields;
  const carrier: Record<string, string> = {};
  propagation.inject(work.spans, carrier);
  const origin: Origin = { ...(requestId && { requestId }) };
  for (const name of carried) if (carrier[name]) origin[name] = carrier[name];
  return Object.keys(origin).length > 0 ? origin : undefined;
}

export function workOfJob(
  fields: Required<Pick<WorkFields, "queue" | "job">> & Pick<WorkFields, "company">,
  origin: Origin = {},
): Work {
  const outer = spansOf({ ...origin });
  const span = tracer().startSpan(
    fields.queue,
    { kind: SpanKind.CONSUMER, attributes: { "malote.queue": fields.queue, "malote.job": fields.job } },
    outer,
  );
  const { requestId } = origin;
  return { fields: { ...(requestId && { requestId }), ...fields }, spans: trace.setSpan(outer, span) };
}

export function endWork({ spans }: Work, error?: unknown): void {
  endSpan(trace.getSpan(spans), error);
}

/** Runs a call of an adapter in a span below the current work; the adapter's own calls belong to that span. */
export async function runOutside<T>(name: string, call: () => Promise<T>): Promise<T> {
  const outer = storage.getStore();
  const spans = outer?.spans ?? ROOT_CONTEXT;
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT }, spans);
  const work: Work = { fields: outer?.fields ?? {}, spans: trace.setSpan(spans, span) };
  try {
    const answer = await within(work, call);
    endSpan(span);
    return answer;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}

/** Ends a span. Records only the error's name, because its message may contain user input. */
function endSpan(span: Span | undefined, error?: unknown): void {
  if (error !== undefined) {
    const { name = "Error" } = error as Partial<Error>;
    span?.setStatus({ code: SpanStatusCode.ERROR, message: name });
  }
  span?.end();
}

/** Returns the fields that each log line of the current work contains. */
export function workFields(): WorkFields & { traceId?: string } {
  const work = storage.getStore();
  if (!work) return {};
  const span = trace.getSpanContext(work.spans);
  return { ...work.fields, ...(span && isSpanContextValid(span) && { traceId: span.traceId }) };
}
