import { afterEach, expect, it } from "vitest";
import { noteSystemTime, systemNow } from "./system-time.ts";

const receivedAt = Date.parse("2026-11-22T12:00:00Z");
const aheadOf = () => Math.round((systemNow().getTime() - Date.now()) / 1000);
afterEach(() => noteSystemTime(new Date(receivedAt).toISOString(), receivedAt));

it("follows the system's clock, forward and back, and ignores the latency of an answer", () => {
  noteSystemTime("2026-12-03T12:00:00Z", receivedAt);
  expect(aheadOf()).toBe(11 * 86_400);
  noteSystemTime("2026-11-22T12:00:20Z", receivedAt);
  expect(aheadOf()).toBe(0);
  noteSystemTime("2026-11-21T12:00:00Z", receivedAt);
  expect(aheadOf()).toBe(-86_400);
});

it("keeps its time over an answer without one, and for a reloaded page", () => {
  noteSystemTime("2026-12-03T12:00:00Z", receivedAt);
  noteSystemTime(null, receivedAt);
  noteSystemTime("ontem", receivedAt);
  expect(aheadOf()).toBe(11 * 86_400);
  expect(sessionStorage.getItem("malote.clock")).toBe(String(11 * 86_400_000));
});
