/** The running relay and subscribers: commits of this process wake them, and they poll for events of others. */
import { createHeartbeat } from "../heartbeat.ts";
import type { Services } from "../services.ts";
import { listSubscribersWithWork } from "./cursor-store.ts";
import { catchUp } from "./handle.ts";
import { relayEvents } from "./relay.ts";
import type { Subscriber } from "./subscriber.ts";
import { onEmitted } from "./wake.ts";

/** Polling interval for events of processes without a relay. */
const lookEveryMs = 200;

export function startDelivery(
  services: Services,
  subscribers: readonly Subscriber[],
): { stop(): Promise<unknown> } {
  const [relay, wake] = [createHeartbeat(services.log), createHeartbeat(services.log)];
  /** Subscribers with events to handle; only these query the database. */
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
  async function wakeDueSubscribers() {
    const waiting = await listSubscribersWithWork(services, subscribers);
    for (const [at, { name }] of subscribers.entries())
      if (waiting.has(name)) {
        busy.add(name);
        beats[at]?.wake();
      }
  }
  // Finds events that another process relayed, due retries, and events left over after an error.
  wake.start(async () => void (await wakeDueSubscribers()));
  relay.start(async () => {
    const moved = await relayEvents(services.db);
    if (moved > 0) await wakeDueSubscribers();
    return moved > 0 ? 0 : lookEveryMs;
  });
  const noLongerWoken = onEmitted(relay.wake);
  return {
    stop() {
      noLongerWoken();
      return Promise.all([relay, wake, ...beats].map((beat) => beat.stop()));
    },
  };
}

/** Delivers everything once, for a process without a worker. Returns the number of relayed and handled events. */
export async function deliverOnce(services: Services, subscribers: readonly Subscriber[]): Promise<number> {
  let count = await relayEvents(services.db);
  const waiting = await listSubscribersWithWork(services, subscribers);
  for (const subscriber of subscribers.filter(({ name }) => waiting.has(name)))
    for (let handled = 1; handled > 0; ) {
      handled = await catchUp(services, subscriber);
      count += handled;
    }
  return count;
}
