import pLimit from "p-limit";
import { AppError } from "../app-error.ts";

/**
 * Runs at most `atWork` calls at once, in order of arrival; lets `waiting` more wait and refuses the rest with
 * `too_many_requests`.
 */
export function boundedQueue(atWork: number, waiting: number) {
  const limit = pLimit(atWork);
  const size = () => limit.activeCount + limit.pendingCount;
  return Object.assign(
    async <T>(work: () => Promise<T>): Promise<T> => {
      if (size() >= atWork + waiting) throw new AppError("too_many_requests");
      return limit(work);
    },
    { isIdle: () => size() === 0 },
  );
}
