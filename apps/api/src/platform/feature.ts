/**
 * The parts of a feature. Each folder's `feature.ts` declares them once; `registry.ts` lists them, and everything
 * else reads that.
 */
import type { Subscriber } from "./events/subscriber.ts";
import type { Serve } from "./http/serve.ts";
import type { JobData, Queue, QueueRules } from "./jobs/jobs.ts";
import type { Measure } from "./measure.ts";
import type { Services } from "./services.ts";

export interface Feature {
  routes?(serve: Serve, services: Services): void;
  /** Work that transactions enqueue. Handlers may run twice for one job. */
  jobs?: { [Q in Queue]?: Job<Q> };
  /** What follows from events, of its own feature or others. */
  subscribers?: readonly Subscriber[];
  /** Scheduled work, in every worker; a failed run is logged, and the next follows regardless. */
  schedules?: readonly Schedule[];
  /** Removes expired data, once an hour. */
  tidy?(services: Services): Promise<unknown>;
  /** Numbers for `/metrics` that have to be queried. */
  measure?: Measure;
}

export interface Job<Q extends Queue> extends QueueRules {
  run(services: Services, data: JobData[Q]): Promise<unknown>;
}

export interface Schedule {
  /** The name under which the log reports it. */
  name: string;
  /** The pause between the end of one run and the start of the next. */
  everyMs: number;
  run(services: Services): Promise<unknown>;
}

/** Every job of these features by its queue. Two features that claim one queue are a programming error. */
export function jobsOf(features: readonly Feature[]): ReadonlyMap<Queue, Job<Queue>> {
  const jobs = new Map<Queue, Job<Queue>>();
  for (const feature of features)
    for (const [queue, job] of Object.entries(feature.jobs ?? {}) as [Queue, Job<Queue>][]) {
      if (jobs.has(queue)) throw new Error(`two features work on the queue ${queue}`);
      jobs.set(queue, job);
    }
  return jobs;
}

/** Every subscriber of these features. Two of one name would share a cursor, and each would miss events. */
export function subscribersOf(features: readonly Feature[]): readonly Subscriber[] {
  const subscribers = features.flatMap((feature) => feature.subscribers ?? []);
  const names = new Set<string>();
  for (const { name } of subscribers) {
    if (names.has(name)) throw new Error(`two subscribers have the name ${name}`);
    names.add(name);
  }
  return subscribers;
}

/** Runs `work` for each company in turn: one company's failure is logged and does not delay the others. */
export async function forEachCompany(
  { log }: Pick<Services, "log">,
  what: string,
  companyIds: readonly string[],
  work: (companyId: string) => Promise<unknown>,
): Promise<void> {
  for (const companyId of companyIds)
    await work(companyId).catch((error: unknown) => log.warn({ err: error, company: companyId }, what));
}
