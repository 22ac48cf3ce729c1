/** The subscriber that stores each event as a notification, with only the facts that a reader needs. */
import type { NotificationKind } from "@malote/contracts/notifications";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import { insertNotifications, type NewNotification } from "./store.ts";

type Kept = StoredEvent<NotificationKind>;
type Facts = Partial<Pick<NewNotification, "batch_id" | "amount" | "actor_id" | "actor_name" | "about">>;

export async function recordNotifications(tx: Tx, events: readonly Kept[]): Promise<void> {
  await insertNotifications(tx, events.map(notificationOf));
}

function notificationOf(event: Kept): NewNotification {
  const { position, type: kind, at, objectId: object_id } = event;
  const none = { batch_id: null, amount: null, actor_id: null, actor_name: null, about: null };
  return { position, kind, at: at.toISOString(), object_id, ...none, ...notificationFactsOf(event) };
}

const actorOf = (by: { id: string; name: string } | undefined): Facts => ({
  actor_id: by?.id ?? null,
  actor_name: by?.name ?? null,
});

function notificationFactsOf({ type, objectId, payload }: Kept): Facts {
  switch (type) {
    case "batch.approved":
    case "batch.closed":
    case "batch.cancelled":
      return { batch_id: objectId, ...actorOf(payload.by) };
    case "batch.rejected":
      return { batch_id: objectId, ...actorOf(payload.by), about: payload.reason };
    case "batch.sent_back":
      return { batch_id: objectId, about: payload.reason };
    case "batch.settled":
      return { batch_id: objectId };
    case "payment.returned":
      return { batch_id: payload.batchId, amount: payload.amount, about: payload.reason };
    case "payin.doubled":
      return { amount: payload.amount, about: payload.payer };
    case "infraction.reported":
      return { amount: payload.amount, about: payload.payer };
    case "pix_key.asked_for":
    case "pix_key.lost":
      return { about: payload.key };
    case "approval.given":
      return actorOf(payload.by);
    case "approval.refused":
      return { ...actorOf(payload.by), about: payload.reason };
  }
}
