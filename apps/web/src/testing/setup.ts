import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { toast } from "../ui/toasts.tsx";
import { fakeServer } from "./fake-server.ts";

// Long enough for a busy machine; a page that never arrives still fails.
configure({ asyncUtilTimeout: 8_000 });

// The test's DOM has no top layer; the journeys in e2e measure panels in a real browser.
HTMLElement.prototype.showPopover ??= () => undefined;

const startAddress = location.href;
let printed: unknown[][] = [];
/** Success that was reported of a change that was refused or lost. */
let praised: string[] = [];
const { good, report } = toast;
const only =
  (show: (text: string) => void) =>
  (text: string): void => {
    const undone = fakeServer.undone();
    if (undone) praised.push(`${undone}: ${text}`);
    show(text);
  };
// What the person does next is about something else.
for (const act of ["pointerdown", "click", "keydown", "submit"])
  addEventListener(act, fakeServer.forgetUndone, { capture: true });

beforeEach(() => {
  // A global that one test replaced is restored before the next.
  vi.unstubAllGlobals();
  printed = [];
  praised = [];
  vi.spyOn(toast, "good").mockImplementation(only(good));
  vi.spyOn(toast, "report").mockImplementation(only(report));
  vi.spyOn(console, "error").mockImplementation((...words) => printed.push(words));
  // The next test starts at an address of its own.
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
  // An unexpected console message fails the test, even when all its assertions pass.
  expect(unexpected, "calls no test asked for").toEqual([]);
  expect(praised, "success reported of a change that was not done").toEqual([]);
  expect(printed, "unexpected console errors").toEqual([]);
});
