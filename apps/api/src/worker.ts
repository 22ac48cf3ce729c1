/** Worker side of the process: queues, delivery of events, and scheduled work. */
import { hourMs } from "@malote/domain/durations";
import { startDelivery } from "./platform/events/deliver.ts";
import type { Services } from "./platform/services.ts";
import { features, jobs, subscribers } from "./registry.ts";

const tidyEveryMs = hourMs;

export interface Worker {
  stop(): Promise<void>;
}

export async function startWorker(services: Services): Promise<Worker> {
  for (const [queue, job] of jobs)
    await services.jobs.work(queue, async (data) => {
      await job.run(services, data);
    });

  const delivery = startDelivery(services, subscribers);
  const schedules = features.flatMap((feature) => feature.schedules ?? []);
  const tidies = features.flatMap((feature) => feature.tidy ?? []);
  const loops = schedules.map(({ name, everyMs, run }) => every(everyMs, () => attempt(name, run)));
  loops.push(
    every(tidyEveryMs, async () => {
      for (const tidy of tidies) await attempt("tidying", tidy);
    }),
  );

  async function attempt(name: string, work: (services: Services) => Promise<unknown>): Promise<void> {
    try {
      await work(services);
    } catch (error) {
      services.log.warn({ err: error, schedule: name }, "scheduled work failed");
    }
  }

  return {
    async stop() {
      await Promise.all([delivery.stop(), ...loops.map((end) => end())]);
    },
  };
}

/**
 * Runs `work`, which never rejects, each `ms` after the end of the last run. Returns a function that stops it and
 * awaits a current run.
 */
function every(ms: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let timer: NodeJS.Timeout;
  const turn = () => {
    running = work().then(() => {
      if (!stopped) timer = setTimeout(turn, ms);
    });
  };
  timer = setTimeout(turn, ms);
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
