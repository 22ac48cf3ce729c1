import type { Services } from "../platform/services.ts";

/** Services that calls to the network about charges and refunds need. */
export type ChargingNeeds = Pick<
  Services,
  "db" | "clock" | "jobs" | "charges" | "config" | "log" | "handleEvents"
>;
