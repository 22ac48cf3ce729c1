import type { Contract } from "@malote/contracts/contract";
import type { FastifyReply } from "fastify";
import type { QueuedCaller } from "../concurrency/fair-semaphore.ts";
import { screenReadsMax } from "../db/screen-reads.ts";

/**
 * Limits of all calls of a company that move no money, which may read much data: three of one company run at once and
 * eight in all, so that the eight connections for screens suffice (screen-reads.ts) and money and background work find
 * one of the twelve others (database.ts). A call that takes a tenth of a second reads a large batch, and only one of
 * those runs per company: three occupied both processors of a small machine, and another company's balance waited for
 * them. One person fills at most eighty of the waiting places, so that colleagues find one.
 */
export const generalLimits = {
  perCompany: 3,
  overall: screenReadsMax,
  waitingMax: 100,
  waitingPerPersonMax: 80,
  long: { perCompany: 1, fromMs: 100 },
};

/**
 * Returns what the queue must know of a call. A read is dropped when its client disconnects before it began; a change
 * is not, because a person who closes the page after pressing a button expects it to happen.
 */
export function queueCaller(
  { id, method }: Pick<Contract, "id" | "method">,
  { actor, reply: { raw } }: { actor: { id: string }; reply: FastifyReply },
): QueuedCaller {
  const caller = { kind: id, person: actor.id };
  if (method !== "GET") return caller;
  const gone = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.closed) onClose();
  else raw.once("close", onClose);
  return { ...caller, gone: gone.signal };
}
