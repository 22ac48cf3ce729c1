import { AppError } from "../app-error.ts";

/**
 * Calls that move one company's money queue here instead of in the database. There they would wait for the same
 * rows, each holding a connection: more callers got less done, and other companies found no connection left.
 */
export function companySemaphore(atOnce: number, waitingMax: number) {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async function inTurn<T>(companyId: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(companyId) ?? { running: 0, waiting: [] };
    lines.set(companyId, line);
    if (line.running === atOnce && line.waiting.length >= waitingMax) throw new AppError("too_many_requests");
    if (line.running < atOnce) line.running++;
    // Whoever finishes hands its place over, so nobody who comes later can take it first.
    else await new Promise<void>((goAhead) => line.waiting.push(goAhead));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) lines.delete(companyId);
    }
  };
}
