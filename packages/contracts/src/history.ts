/** The recorded history of one payment or payin (decision 0054). */
import * as z from "zod";
import { contract } from "./contract.ts";
import type { EventType } from "./events.ts";
import { everyProfile } from "./policy.ts";
import { byId, instant, pageFromZero, pagination, positiveCentavos } from "./wire.ts";

/** Events that the history records. */
export const historyEvents = [
  "batch.approval_requested",
  "batch.rejected",
  "batch.sent_back",
  "batch.approved",
  "batch.closed",
  "batch.released",
  "batch.cancelled",
  "payment.sent",
  "payment.settled",
  "payment.finished",
  "payment.failed",
  "payment.sent_again",
  "payment.returned",
  "payment.given_back",
  "payment.cancelled",
  "payin.received",
  "payin.doubled",
  "payin.authorized",
  "payin.instalment_received",
  "payin.ended",
  "payin.blocked",
  "payin.block_kept",
  "payin.unblocked",
  "payin.rejected",
  "payin.refund_asked",
  "payin.refunded",
  "payin.refund_failed",
] as const satisfies readonly EventType[];
export type HistoryEvent = (typeof historyEvents)[number];

/** The recorded events and the creation, which comes from the object's own row. */
export const historyMoments = [...historyEvents, "payment.created", "payin.created"] as const;
export type HistoryMoment = (typeof historyMoments)[number];

/** A person, a credential, the product itself, the network, or the installation's operator after asking the network. */
export const historyActorKinds = ["user", "machine", "system", "network", "operator"] as const;

export const historyEntry = z.object({
  what: z.enum(historyMoments),
  at: instant,
  amount: positiveCentavos.nullable(),
  /** The status after the event, where `what` does not determine it. */
  status: z.string().nullable(),
  /** The refusing party's own words, a code of a card's acquirer, or the corrected values with the approver. */
  reason: z.string().nullable(),
  /** The number of the attempt to send it. */
  attempt: z.int().positive().nullable(),
  scheduled_for: instant.nullable(),
  /** Null where the actor is unknown. */
  actor: z.object({ kind: z.enum(historyActorKinds), name: z.string().nullable() }).nullable(),
  /** False when the moment comes from the times in the object's own row, which hold only the last occurrence. */
  kept: z.boolean(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

const history = z.object({
  items: z.array(historyEntry),
  /** The start of the recording; nothing is recorded of earlier events. Null where it is unknown. */
  kept_since: instant.nullable(),
  /**
   * The reason why entries may be missing: the events are being delivered (`late`), or wait behind a failed event
   * (`stuck`).
   */
  missing: z.enum(["late", "stuck"]).nullable(),
  metadata: z.object({ pagination }),
});
export type History = z.infer<typeof history>;

export const readPaymentHistory = contract({
  id: "readPaymentHistory",
  base: "payments",
  method: "GET",
  path: "/app/payment/:id/history",
  summary: "O que aconteceu com uma transferência ou um boleto, do mais novo ao mais antigo",
  policy: everyProfile,
  params: byId,
  query: z.object({ page: pageFromZero }),
  response: history,
});

export const readPayinHistory = contract({
  id: "readPayinHistory",
  base: "payments",
  method: "GET",
  path: "/app/payins/:id/history",
  summary: "O que aconteceu com um recebimento, do mais novo ao mais antigo",
  policy: everyProfile,
  params: byId,
  query: z.object({ page: pageFromZero }),
  response: history,
});
