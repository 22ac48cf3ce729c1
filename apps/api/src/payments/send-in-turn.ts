import type { Services } from "../platform/services.ts";
import { sendDuePayments } from "./send-payments.ts";

interface Sending {
  hasMore: boolean;
  done: Promise<void>;
}

/** Running senders, by set of services: a process has one set, tests have several. */
const senders = new WeakMap<Services, Map<string, Sending>>();

/** Runs at most one sender per company in this process; a call during a run makes the sender search once more. */
export function sendInTurn(services: Services, { companyId }: { companyId: string }): Promise<void> {
  const running = senders.get(services) ?? new Map<string, Sending>();
  senders.set(services, running);
  const current = running.get(companyId);
  if (current) {
    current.hasMore = true;
    return current.done;
  }
  const sending: Sending = { hasMore: false, done: Promise.resolve() };
  running.set(companyId, sending);
  sending.done = (async () => {
    try {
      do {
        sending.hasMore = false;
        await sendDuePayments(services, { companyId });
      } while (sending.hasMore);
    } finally {
      running.delete(companyId);
    }
  })();
  return sending.done;
}
