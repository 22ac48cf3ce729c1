/**
 * Named places at which a process can be made to exit, so that a test can prove what the next process finds. Unless
 * MALOTE_FAIL_POINT names one, reachFailPoint a place is a no-op.
 */

/** Fail points in the order in which a request, a job and an event pass them. Each is one side of an atomic step. */
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
  /** Number of the reachFailPoint on which the process exits, counted from 1. */
  hit: number;
}

/** Marks that the process passes a fail point; a no-op unless a point is armed. */
export let reachFailPoint: (point: FailPoint) => void = () => undefined;

/** Ends the process like a power failure: no work is finished and no error is reported. */
const die = () => void process.kill(process.pid, "SIGKILL");

/** Arms a fail point. Call it once, before any place is passed. */
export function armFailPoint(armed: ArmedFailPoint | undefined, end: () => void = die): void {
  let left = armed?.hit ?? 0;
  reachFailPoint = armed
    ? (point) => {
        if (point === armed.point && --left === 0) end();
      }
    : () => undefined;
}

/** Reads `after-commit`, or `after-commit:3` for the third reachFailPoint. */
export function readFailPoint(text: string): ArmedFailPoint | undefined {
  const [name, hit = "1", ...more] = text.split(":");
  const point = failPoints.find((known) => known === name);
  return point && more.length === 0 && /^[1-9]\d{0,5}$/.test(hit) ? { point, hit: Number(hit) } : undefined;
}
