import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { toast } from "../ui/toasts.tsx";
import { fakeServer } from "./fake-server.ts";

// A busy machine is no finding; a page that never comes still is.
configure({ asyncUtilTimeout: 8_000 });

// The test's DOM has no top layer; where panels lie is measured in a real browser (e2e).
HTMLElement.prototype.showPopover ??= () => undefined;

const startAddress = location.href;
let printed: unknown[][] = [];

beforeEach(() => {
  // A global that one test replaced is whole again in the next.
  vi.unstubAllGlobals();
  printed = [];
  vi.spyOn(console, "error").mockImplementation((...words) => printed.push(words));
  // A page that was left in one test is not where the next one begins.
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(startAddress);
  localStorage.clear();
  sessionStorage.clear();
  fakeServer.start();
});

afterEach(() => {
  cleanup();
  toast.clear();
  const unexpected = fakeServer.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
  // What a test did not expect is a finding, even when everything it looked at was right.
  expect(unexpected, "calls no test asked for").toEqual([]);
  expect(printed, "unexpected console errors").toEqual([]);
});
