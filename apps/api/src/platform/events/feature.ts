import { type Feature, usualPauseMs } from "../feature.ts";
import { deleteOldEvents, measureEvents } from "./scheduled-work.ts";
import type { Subscriber } from "./subscriber.ts";

/** Measures events and deletes those that all of these subscribers have handled. */
export const eventsFeature = (subscribers: readonly Subscriber[]): Feature => ({
  schedules: [{ name: "measuring events", everyMs: usualPauseMs, run: measureEvents }],
  tidy: (services) => deleteOldEvents(services, subscribers),
});
