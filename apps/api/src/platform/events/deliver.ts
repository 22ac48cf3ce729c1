/** The running relay and subscribers: woken by commits of this process's events, and polling for the rest. */
import { createHeartbeat } from "../heartbeat.ts";
import type { Services } from "../services.ts";
import { catchUp, subscribersWithWork } from "./handle.ts";
import { relayEvents } from "./relay.ts";
import type { Subscriber } from "./subscriber.ts";
import { onEmitted } from "./wake.ts";

/** How long an event of a process that runs no relay waits to be seen. */
const lookEveryMs = 200;

export function startDelivery(
  services: Services,
  subscribers: readonly Subscriber[],
): { stop(): Promise<unknown> } {
  const [relay, look] = [createHeartbeat(services.log), createHeartbeat(services.log)];
  /** Those with something to handle: the others ask the database for nothing. */
  const busy = new Set<string>();
  const beats = subscribers.map((subscriber) => {
    const { name } = subscriber;
    const beat = createHeartbeat(services.log);
    beat.start(async () => {
      if (!busy.delete(name)) return undefined;
      if ((await catchUp(services, subscriber)) === 0) return undefined;
      busy.add(name);
      return 0;
    });
    return beat;
  });
  async function wakeThoseWithWork() {
    const waiting = await subscribersWithWork(services, subscribers);
    for (const [at, { name }] of subscribers.entries())
      if (waiting.has(name)) {
        busy.add(name);
        beats[at]?.wake();
      }
  }
  // Events that another process moved, retries that are due, and what an error left over.
  look.start(async () => void (await wakeThoseWithWork()));
  relay.start(async () => {
    const moved = await relayEvents(services.db);
    if (moved > 0) await wakeThoseWithWork();
    return moved > 0 ? 0 : lookEveryMs;
  });
  const noLongerWoken = onEmitted(relay.wake);
  return {
    stop() {
      noLongerWoken();
      return Promise.all([relay, look, ...beats].map((beat) => beat.stop()));
    },
  };
}

/** Runs all of it once, in turn, for a process without a worker. Answers how many events were moved or handled. */
export async function deliverOnce(services: Services, subscribers: readonly Subscriber[]): Promise<number> {
  let count = await relayEvents(services.db);
  const waiting = await subscribersWithWork(services, subscribers);
  for (const subscriber of subscribers.filter(({ name }) => waiting.has(name)))
    for (let handled = 1; handled > 0; ) {
      handled = await catchUp(services, subscriber);
      count += handled;
    }
  return count;
}
