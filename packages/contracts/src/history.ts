/** What happened to one payment or one payin, as far as it is recorded (decision 0054). */
import * as z from "zod";
import { contract } from "./contract.ts";
import type { EventType } from "./events.ts";
import { everyProfile } from "./policy.ts";
import { byId, instant, pageFromZero, pagination, positiveCentavos } from "./wire.ts";

/** The events that are kept. */
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

/** And the beginning, which the object's own row holds. */
export const historyMoments = [...historyEvents, "payment.created", "payin.created"] as const;
export type HistoryMoment = (typeof historyMoments)[number];

/** A person, a credential, the product by itself, the network, or the operator of the installation who asked the network. */
export const historyActorKinds = ["user", "machine", "system", "network", "operator"] as const;

export const historyEntry = z.object({
  what: z.enum(historyMoments),
  at: instant,
  amount: positiveCentavos.nullable(),
  /** Its status since then, where `what` alone does not give it. */
  status: z.string().nullable(),
  /** In the words of the party that refused it, a code of a card's acquirer, or what was corrected and who approved it. */
  reason: z.string().nullable(),
  /** Which time it was sent. */
  attempt: z.int().positive().nullable(),
  scheduled_for: instant.nullable(),
  /** Null where unknown. */
  actor: z.object({ kind: z.enum(historyActorKinds), name: z.string().nullable() }).nullable(),
  /** False: read from the times in the object's own row, which hold only the last of each. */
  kept: z.boolean(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

const history = z.object({
  items: z.array(historyEntry),
  /** Nothing was kept of what happened before; null where that is not known. */
  kept_since: instant.nullable(),
  /** Why there may be more to say than stands here: it is on its way (`late`), or waits behind a failure (`stuck`). */
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
