import { boundedQueue } from "./bounded-queue.ts";

/**
 * Queues calls that move one company's money in the process instead of in the database, where they would wait for the
 * same rows while holding connections: more callers got less work done, and other companies found no free connection.
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
