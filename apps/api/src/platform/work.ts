/**
 * The work that is under way: a request, or a job that a request asked for. Log lines and spans say which one by themselves,
 * and its ids go along: from the request into the data of its jobs, and from there to the adapters.
 *
 * Spans are those of the OpenTelemetry API. Without an SDK, which no part of this brings, they cost nothing and go nowhere; an
 * installation that loads one (docs/operations.md) gets them.
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

/** Where a job comes from, kept in its data. */
export interface Origin {
  requestId?: string;
  /** W3C trace context, where an SDK is loaded. */
  traceparent?: string;
  tracestate?: string;
}

/** What log lines name. */
export interface WorkFields {
  requestId?: string;
  company?: string;
  /** A user, or a credential. */
  actor?: string;
  queue?: string;
  job?: string;
}

export interface Work {
  fields: WorkFields;
  /** The span of the work, and what it is part of. */
  spans: Context;
}

const storage = new AsyncLocalStorage<Work>();
/** Asked for each time: an SDK may be loaded after this. */
const tracer = () => trace.getTracer("malote");

/** Only these headers of a trace are taken: a caller could put anything into the others. */
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

/** The pattern of the address, as in the log: an address may hold a key or a document. */
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

/** Everything that `task` begins belongs to this work. */
export function within<T>(work: Work, task: () => T): T {
  return storage.run(work, () => context.with(work.spans, task));
}

/** Who does it is known a moment after it begins. */
export function actsFor(actor: { id: string; companyId: string }): void {
  const work = storage.getStore();
  if (work) Object.assign(work.fields, { company: actor.companyId, actor: actor.id } satisfies WorkFields);
}

/** For the data of a job; undefined: what asks for it comes from no request and is part of no trace. */
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

/** A call of an adapter, as a span of the work that makes it: what the adapter itself calls is part of it. */
export async function callingOut<T>(name: string, call: () => Promise<T>): Promise<T> {
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

/** The kind of an error is no secret; its message may hold what a person wrote. */
function endSpan(span: Span | undefined, error?: unknown): void {
  if (error !== undefined) {
    const { name = "Error" } = error as Partial<Error>;
    span?.setStatus({ code: SpanStatusCode.ERROR, message: name });
  }
  span?.end();
}

/** What each log line says of the work it is written in. */
export function workFields(): WorkFields & { traceId?: string } {
  const work = storage.getStore();
  if (!work) return {};
  const span = trace.getSpanContext(work.spans);
  return { ...work.fields, ...(span && isSpanContextValid(span) && { traceId: span.traceId }) };
}
