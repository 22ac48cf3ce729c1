import {
  type listNotifications,
  type markNotificationsSeen,
  type NotificationItem,
  notificationKinds,
  notificationPolicies,
} from "@malote/contracts/notifications";
import { mayCall } from "@malote/contracts/policy";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { countUnseen, listNotificationRows, type NotificationRow, saveSeen } from "./store.ts";

const shownMax = 50;
const countedMax = 100;

export async function readNotifications(tx: Tx, { actor }: Call<typeof listNotifications>) {
  const kinds = notificationKinds.filter((kind) => mayCall(notificationPolicies[kind], actor));
  const reader = { userId: actor.id, kinds };
  const [rows, unseen] = await Promise.all([
    listNotificationRows(tx, { ...reader, max: shownMax }),
    countUnseen(tx, { ...reader, max: countedMax }),
  ]);
  return { data: rows.map(itemOf), unseen };
}

const itemOf = ({
  position,
  kind,
  at,
  object_id,
  batch,
  amount,
  actor_name,
  about,
  is_new,
}: NotificationRow): NotificationItem => ({
  position,
  kind,
  at: at.toISOString(),
  object_id,
  batch,
  amount,
  by: actor_name,
  about,
  is_new,
});

export async function markSeen(tx: Tx, { actor, body }: Call<typeof markNotificationsSeen>) {
  await saveSeen(tx, actor.id, body.position);
  return { ok: true as const };
}
