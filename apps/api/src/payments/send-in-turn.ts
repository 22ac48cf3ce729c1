import type { Services } from "../platform/services.ts";
import { type SendingTurn, sendDuePayments } from "./send-payments.ts";

/** Running senders, by set of services: a process has one set, tests have several. */
const senders = new WeakMap<Services, Map<string, { hasMore: boolean }>>();

/**
 * Runs at most one sender per company in this process. A call during a run makes that sender search once more and
 * returns at once, because a job that waited would hold the place of another company's job. A bounded turn does not
 * search again: what is still due has the next run of the schedule.
 */
export async function sendInTurn(services: Services, turn: SendingTurn): Promise<void> {
  const running = senders.get(services) ?? new Map<string, { hasMore: boolean }>();
  senders.set(services, running);
  const current = running.get(turn.companyId);
  if (current) {
    current.hasMore = true;
    return;
  }
  const sending = { hasMore: false };
  running.set(turn.companyId, sending);
  try {
    do {
      sending.hasMore = false;
      await sendDuePayments(services, turn);
    } while (sending.hasMore && turn.blocksMax === undefined);
  } finally {
    running.delete(turn.companyId);
  }
}
