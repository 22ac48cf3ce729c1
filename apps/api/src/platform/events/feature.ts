import type { Feature } from "../feature.ts";
import { forgetOldEvents, measureEvents } from "./keep.ts";
import type { Subscriber } from "./subscriber.ts";

/** Measures events and deletes those that all of these subscribers have handled. */
export const eventsFeature = (subscribers: readonly Subscriber[]): Feature => ({
  schedules: [{ name: "measuring events", everyMs: 10_000, run: measureEvents }],
  tidy: (services) => forgetOldEvents(services, subscribers),
});
