import { boundedQueue } from "../bounded-queue.ts";

/**
 * Calls that move one company's money queue here instead of in the database. There they would wait for the same
 * rows, each holding a connection: more callers got less done, and other companies found no connection left.
 */
export function companySemaphore(atOnce: number, waitingMax: number) {
  const queues = new Map<string, ReturnType<typeof boundedQueue>>();
  return async function inTurn<T>(companyId: string, work: () => Promise<T>): Promise<T> {
    const queue = queues.get(companyId) ?? boundedQueue(atOnce, waitingMax);
    queues.set(companyId, queue);
    try {
      return await queue(work);
    } finally {
      if (queue.isIdle()) queues.delete(companyId);
    }
  };
}
