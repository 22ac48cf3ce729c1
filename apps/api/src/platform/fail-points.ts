/**
 * Named places at which a process can be made to exit, so that a test can prove what the next one finds. Unless
 * MALOTE_FAIL_POINT names one, passing a place calls a function that does nothing.
 */

/** In the order a request, then a job, then an event meets them. Each is one side of a step that must be whole. */
export const failPoints = [
  "before-migration-commit",
  "after-migration-commit",
  "before-commit",
  "after-commit",
  "before-file-kept",
  "after-file-kept",
  "before-answer",
  "after-answer",
  "after-job-fetched",
  "before-job-acknowledged",
  "before-rail-call",
  "after-rail-call",
  "after-event-received",
  "after-event-applied",
  "before-event-acknowledged",
  "after-event-acknowledged",
  "before-mail-sent",
  "after-mail-sent",
] as const;

export type FailPoint = (typeof failPoints)[number];

export interface ArmedFailPoint {
  point: FailPoint;
  /** The process exits on this passing, counted from 1. */
  hit: number;
}

/** Says that the process passes here. */
export let passing: (point: FailPoint) => void = () => undefined;

/** Like a power failure: nothing is finished, nothing is reported. */
const die = () => void process.kill(process.pid, "SIGKILL");

/** Called once, before anything can pass. */
export function armFailPoint(armed: ArmedFailPoint | undefined, end: () => void = die): void {
  let left = armed?.hit ?? 0;
  passing = armed
    ? (point) => {
        if (point === armed.point && --left === 0) end();
      }
    : () => undefined;
}

/** Reads `after-commit`, or `after-commit:3` for its third passing. */
export function readFailPoint(text: string): ArmedFailPoint | undefined {
  const [name, hit = "1", ...more] = text.split(":");
  const point = failPoints.find((known) => known === name);
  return point && more.length === 0 && /^[1-9]\d{0,5}$/.test(hit) ? { point, hit: Number(hit) } : undefined;
}
