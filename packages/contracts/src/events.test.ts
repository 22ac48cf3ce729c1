import { expect, it } from "vitest";
import { type EventType, eventCatalogue } from "./events.ts";

/** As they stand in the logs of installations: one of each version that was ever emitted. Only added to. */
const emitted: Record<EventType, Record<number, object>> = {
  "batch.released": { 1: {} },
  "batch.cancelled": { 1: {} },
  "batch.settled": { 1: {} },
  "payment.settled": { 1: { batchId: "01990000-0000-7000-8000-000000000001", amount: 1 } },
  "payment.failed": { 1: { batchId: "01990000-0000-7000-8000-000000000001", amount: 9_007_199_254_740_991 } },
};

it.each(Object.entries(emitted))("reads every version of %s that was ever emitted", (type, versions) => {
  const { version, payload } = eventCatalogue[type as EventType];
  expect(Object.keys(versions).map(Number)).toContain(version);
  for (const sample of Object.values(versions)) expect(payload.parse(sample)).toEqual(sample);
});

it("refuses an amount of nothing, and a payment of no batch", () => {
  const { payload } = eventCatalogue["payment.settled"];
  const { 1: sample } = emitted["payment.settled"];
  for (const wrong of [{ amount: 0 }, { amount: 0.5 }, { batchId: "Folha" }, { batchId: undefined }])
    expect(payload.safeParse({ ...sample, ...wrong }).success).toBe(false);
});
