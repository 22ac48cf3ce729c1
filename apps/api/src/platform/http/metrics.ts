/** Metrics in the Prometheus text format. Each feature declares its own beside the code that sets them. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

export const metrics = new Registry();
collectDefaultMetrics({ register: metrics, prefix: "malote_" });

const requestSeconds = new Histogram({
  name: "malote_http_request_seconds",
  help: "Duration of requests",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.02, 0.05, 0.15, 0.5, 1.5, 5],
  registers: [metrics],
});

export const adapterSeconds = new Histogram({
  name: "malote_adapter_seconds",
  help: "Duration of calls to an adapter, answered or not",
  labelNames: ["port", "call", "result"],
  buckets: [0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
  registers: [metrics],
});

export const retriedTransactions = new Counter({
  name: "malote_transaction_retries_total",
  help: "Transactions retried after a conflict in PostgreSQL",
  registers: [metrics],
});

/**
 * Returns the metrics of the platform and of every feature as text, in the order of their names, so that the order does
 * not depend on which file is loaded first.
 */
export async function readMetrics(): Promise<string> {
  const names = metrics.getMetricsAsArray().map(({ name }) => name);
  const texts = await Promise.all(names.sort().map((name) => metrics.getSingleMetricAsString(name)));
  return `${texts.join("\n\n")}\n`;
}

/** Counts a call. Its route is the pattern, because an address may contain a key or a document. */
export function measureRequest(
  labels: { method: string; route: string; status: number },
  seconds: number,
): void {
  requestSeconds.observe(labels, seconds);
}
