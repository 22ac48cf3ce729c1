import { type Feature, usualPauseMs } from "../feature.ts";
import { forgetOldEvents, measureEvents } from "./keep.ts";
import type { Subscriber } from "./subscriber.ts";

/** Measures events and deletes those that all of these subscribers have handled. */
export const eventsFeature = (subscribers: readonly Subscriber[]): Feature => ({
  schedules: [{ name: "measuring events", everyMs: usualPauseMs, run: measureEvents }],
  tidy: (services) => forgetOldEvents(services, subscribers),
});
