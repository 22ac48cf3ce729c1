/**
 * Parts of a feature. Each folder's `feature.ts` declares them; `registry.ts` lists the features, and all other code
 * reads that list.
 */
import { secondMs } from "@malote/domain/durations";
import type { Subscriber } from "./events/subscriber.ts";
import type { Serve } from "./http/serve.ts";
import type { JobData, Queue, QueueRules } from "./jobs/jobs.ts";
import type { Measure } from "./measure.ts";
import type { Services } from "./services.ts";

export interface Feature {
  routes?(serve: Serve, services: Services): void;
  /** Jobs that transactions enqueue. A handler may run twice for one job. */
  jobs?: { [Q in Queue]?: Job<Q> };
  /** Subscribers to events of this feature or others. */
  subscribers?: readonly Subscriber[];
  /** Scheduled work of every worker; a failed run is logged, and the next run follows regardless. */
  schedules?: readonly Schedule[];
  /** Removes expired data, once an hour. */
  tidy?(services: Services): Promise<unknown>;
  /** Sets metrics that need a query. */
  measure?: Measure;
}

export interface Job<Q extends Queue> extends QueueRules {
  run(services: Services, data: JobData[Q]): Promise<unknown>;
}

/** Pause of most schedules: what the clock makes due is late by at most this. */
export const usualPauseMs = 10 * secondMs;

export interface Schedule {
  /** Name in the log. */
  name: string;
  /** Pause in milliseconds between the end of a run and the start of the next. */
  everyMs: number;
  run(services: Services): Promise<unknown>;
}

/** Indexes the jobs of these features by queue. Throws when two features declare one queue. */
export function jobsOf(features: readonly Feature[]): ReadonlyMap<Queue, Job<Queue>> {
  const jobs = new Map<Queue, Job<Queue>>();
  for (const feature of features)
    for (const [queue, job] of Object.entries(feature.jobs ?? {}) as [Queue, Job<Queue>][]) {
      if (jobs.has(queue)) throw new Error(`two features work on the queue ${queue}`);
      jobs.set(queue, job);
    }
  return jobs;
}

/**
 * Returns the subscribers of these features. Throws on equal names: two subscribers would share a cursor, and each
 * would miss events.
 */
export function subscribersOf(features: readonly Feature[]): readonly Subscriber[] {
  const subscribers = features.flatMap((feature) => feature.subscribers ?? []);
  const names = new Set<string>();
  for (const { name } of subscribers) {
    if (names.has(name)) throw new Error(`two subscribers have the name ${name}`);
    names.add(name);
  }
  return subscribers;
}

/** Runs `work` for each company in turn. Logs a company's failure without delaying the others. */
export async function forEachCompany(
  { log }: Pick<Services, "log">,
  what: string,
  companyIds: readonly string[],
  work: (companyId: string) => Promise<unknown>,
): Promise<void> {
  for (const companyId of companyIds)
    await work(companyId).catch((error: unknown) => log.warn({ err: error, company: companyId }, what));
}
