/**
 * The subscriber that records each event as a moment of its object, with only the facts that a reader needs (decision
 * 0054).
 */
import type { EventActor } from "@malote/contracts/events";
import { type HistoryEvent, historyEvents } from "@malote/contracts/history";
import type { PayinStatus } from "@malote/domain/payin";
import type { PaymentStatus } from "@malote/domain/payment-status";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import { insertMoments, type NewMoment } from "./store.ts";

type Kept = StoredEvent<HistoryEvent>;
interface Facts {
  amount?: number;
  status?: PaymentStatus | PayinStatus;
  reason?: string | null;
  attempt?: number;
  scheduledFor?: string | null;
  refundId?: string;
  by?: EventActor | "network" | "operator" | "system" | null | undefined;
}

/** Name of the subscriber. It never changes, because cursors are stored under it. */
export const historySubscriber = { name: "object-history", on: historyEvents } as const;

export async function recordHistory(tx: Tx, events: readonly Kept[]): Promise<void> {
  await insertMoments(tx, events.map(momentOf));
}

function momentOf(event: Kept): NewMoment {
  const { position, type: what, objectId, at } = event;
  const { amount, status, reason, attempt, scheduledFor, refundId, by } = momentFactsOf(event);
  const actor = typeof by === "string" ? { kind: by, id: null, name: null } : by;
  return {
    object_kind: what.slice(0, what.indexOf(".")),
    object_id: objectId,
    position,
    what,
    at: at.toISOString(),
    amount: amount ?? null,
    status: status ?? null,
    reason: reason || null,
    attempt: attempt ?? null,
    scheduled_for: scheduledFor ?? null,
    refund_id: refundId ?? null,
    actor_kind: actor?.kind ?? null,
    actor_id: actor?.id ?? null,
    actor_name: actor?.name ?? null,
  };
}

const person = ({ id, name }: { id: string; name: string }): EventActor => ({ kind: "user", id, name });

/**
 * Extracts the facts of an event. Only the actor's name is stored: payers are read from the payin and payees from the
 * payment.
 */
function momentFactsOf(event: Kept): Facts {
  switch (event.type) {
    case "batch.approval_requested":
      return { by: person(event.payload.by) };
    case "batch.rejected":
      return { by: person(event.payload.by), reason: event.payload.reason };
    case "batch.sent_back":
      return { by: "system", reason: event.payload.reason };
    case "batch.released":
      return { by: "system" };
    case "batch.approved":
    case "batch.closed":
    case "batch.cancelled":
      return { by: event.payload.by };
    case "payment.sent":
      return {
        amount: event.payload.amount,
        attempt: event.payload.attempt,
        status: "EXECUTING",
        by: "system",
      };
    case "payment.settled": {
      const { amount, isFinal, by = "network" } = event.payload;
      return { amount, status: isFinal ? "FINISHED" : "TRANSFERRED", by };
    }
    case "payment.finished": {
      const { amount, by = "network" } = event.payload;
      return { amount, status: "FINISHED", by };
    }
    case "payment.failed": {
      const { amount, reason = null, by } = event.payload;
      return { amount, status: "FAILED", reason, by };
    }
    case "payment.sent_again": {
      const { amount, by, scheduledFor, change, approvedBy } = event.payload;
      const reason = [change, approvedBy && `Aprovado por ${approvedBy.join(", ")}`]
        .filter(Boolean)
        .join(" · ");
      return { amount, by, scheduledFor, reason, status: scheduledFor === null ? "RECEIVED" : "SCHEDULED" };
    }
    case "payment.returned": {
      const { amount, reason, by = "network" } = event.payload;
      return { amount, reason, status: "RETURNED", by };
    }
    case "payment.given_back":
    case "payment.cancelled":
      return { amount: event.payload.amount, status: "RETURNED", by: event.payload.by };
    case "payin.received":
    case "payin.doubled":
    case "payin.authorized":
    case "payin.instalment_received":
    case "payin.unblocked":
      return { amount: event.payload.amount, by: event.type === "payin.doubled" ? "system" : "network" };
    case "payin.ended":
    case "payin.blocked":
      return { ...event.payload, by: "network" };
    case "payin.block_kept":
    case "payin.rejected":
      return { by: "network" };
    case "payin.refund_asked":
    case "payin.refunded":
      return event.payload;
    case "payin.refund_failed":
      return { ...event.payload, by: "network" };
  }
}
