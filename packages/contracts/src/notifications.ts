/**
 * Recent events that a person of the company did not cause, and a stream that names the data to read again (decision
 * 0059).
 */
import * as z from "zod";
import { readBatch } from "./batches.ts";
import { listInvoices } from "./billing.ts";
import { listInfractions } from "./contestations.ts";
import { contract } from "./contract.ts";
import { listApprovalRequests } from "./controls.ts";
import type { EventType } from "./events.ts";
import { listFiles } from "./files.ts";
import { listPayins } from "./payins.ts";
import { listPixKeys } from "./pix-keys.ts";
import { everyProfile, type Policy } from "./policy.ts";
import { centavos, done, id, instant } from "./wire.ts";

/** Each kind is an event. A person who may read its object, by that call's policy, may read its notifications. */
export const notificationPolicies = {
  "batch.approved": readBatch.policy,
  "batch.rejected": readBatch.policy,
  "batch.sent_back": readBatch.policy,
  "batch.closed": readBatch.policy,
  "batch.cancelled": readBatch.policy,
  "batch.settled": readBatch.policy,
  "payment.returned": readBatch.policy,
  "payin.doubled": listPayins.policy,
  "infraction.reported": listInfractions.policy,
  "pix_key.asked_for": listPixKeys.policy,
  "pix_key.lost": listPixKeys.policy,
  "approval.given": listApprovalRequests.policy,
  "approval.refused": listApprovalRequests.policy,
} as const satisfies { [T in EventType]?: Policy };
export type NotificationKind = keyof typeof notificationPolicies;
export const notificationKinds = Object.keys(notificationPolicies) as NotificationKind[];

export const notificationItem = z.object({
  /** The position of its event; later events have larger positions. */
  position: z.int(),
  kind: z.enum(notificationKinds),
  at: instant,
  object_id: id,
  /** The batch that it is about or belongs to, while it exists. */
  batch: z
    .object({ id, name: z.string(), is_own: z.boolean(), paid_count: z.int(), failed_count: z.int() })
    .nullable(),
  amount: centavos.nullable(),
  /** The person who caused it; null for the network and the system. */
  by: z.string().nullable(),
  /** A reason, the payer or the key, depending on the kind. */
  about: z.string().nullable(),
  is_new: z.boolean(),
});
export type NotificationItem = z.infer<typeof notificationItem>;

export const listNotifications = contract({
  id: "listNotifications",
  base: "payments",
  method: "GET",
  path: "/app/notifications",
  summary: "O que aconteceu e quem pergunta não fez, o mais novo primeiro, no máximo cinquenta",
  policy: { ...everyProfile, machine: false },
  response: z.object({
    data: z.array(notificationItem),
    /** The number of notifications after the caller's last visit, counted up to a hundred. */
    unseen: z.int(),
  }),
});

export const markNotificationsSeen = contract({
  id: "markNotificationsSeen",
  base: "payments",
  method: "POST",
  path: "/app/notifications/seen",
  summary: "Marcar como vistos os avisos até este",
  policy: { ...everyProfile, machine: false },
  body: z.object({ position: z.int().min(0) }),
  response: done,
});

/**
 * The objects that may change, by the names of the events, with the policy to read them. A message names no record: the
 * client reads the data again with its token.
 */
export const topicPolicies = {
  batch: readBatch.policy,
  payment: readBatch.policy,
  payin: listPayins.policy,
  infraction: listInfractions.policy,
  pix_key: listPixKeys.policy,
  company: everyProfile,
  approval_request: listApprovalRequests.policy,
  export: listFiles.policy,
  invoice: listInvoices.policy,
} as const satisfies Record<string, Policy>;
export type ChangeTopic = keyof typeof topicPolicies;
export const changeTopics = Object.keys(topicPolicies) as ChangeTopic[];

export const watchChanges = contract({
  id: "watchChanges",
  base: "payments",
  method: "GET",
  path: "/app/changes",
  summary: "O que mudou na empresa, à medida que muda (text/event-stream)",
  policy: { ...everyProfile, machine: false },
  transport: "stream",
  response: z.object({ topics: z.array(z.enum(changeTopics)) }),
});
