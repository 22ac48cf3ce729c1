/** Metrics in the Prometheus text format. */
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export const metrics = new Registry();
collectDefaultMetrics({ register: metrics, prefix: "malote_" });

const requestSeconds = new Histogram({
  name: "malote_http_request_seconds",
  help: "Time to answer a request",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.02, 0.05, 0.15, 0.5, 1.5, 5],
  registers: [metrics],
});

export const adapterSeconds = new Histogram({
  name: "malote_adapter_seconds",
  help: "Time until an adapter answered, or did not",
  labelNames: ["port", "call", "result"],
  buckets: [0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
  registers: [metrics],
});

export const retriedTransactions = new Counter({
  name: "malote_transaction_retries_total",
  help: "Transactions PostgreSQL asked to be run again",
  registers: [metrics],
});

export const booksClean = new Gauge({
  name: "malote_books_clean",
  help: "1 when the last books check found nothing wrong, 0 when it did",
  registers: [metrics],
});

export const paymentsSent = new Counter({
  name: "malote_payments_sent_total",
  help: "Payments handed to the network",
  labelNames: ["method"],
  registers: [metrics],
});

export const railEventsApplied = new Counter({
  name: "malote_rail_events_total",
  help: "Events of the payment network applied",
  labelNames: ["kind"],
  registers: [metrics],
});

export const deadLetterEvents = new Gauge({
  name: "malote_rail_dead_letters",
  help: "Events of the payment network kept as dead letters for a person to look at",
  registers: [metrics],
});

export const eventsBehindSeconds = new Gauge({
  name: "malote_events_behind_seconds",
  help: "Age of the oldest event that the relay has not moved yet",
  registers: [metrics],
});

export const deadLetters = new Gauge({
  name: "malote_event_dead_letters",
  help: "Events that a subscriber could not handle, and those that wait behind them",
  registers: [metrics],
});

export const deadLetterOldestSeconds = new Gauge({
  name: "malote_event_dead_letter_oldest_seconds",
  help: "Age of the oldest event that a subscriber could not handle",
  registers: [metrics],
});

export function measureRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    requestSeconds.observe(
      { method: request.method, route: request.routeOptions.url ?? "(none)", status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });
}
