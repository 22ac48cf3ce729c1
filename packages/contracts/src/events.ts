/**
 * Events of Malote that subscribers act on (decision 0046). The schema of a version never loses or changes a field; a
 * new meaning needs a new version. An event names its object; a subscriber reads the current state when it handles the
 * event.
 */
import { situationTypes } from "@malote/domain/infraction";
import type { PaymentMethod } from "@malote/domain/limits";
import { claimKinds } from "@malote/domain/own-pix-key";
import { limitPeriods } from "@malote/domain/payment-limits";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { profiles } from "./policy.ts";

/**
 * Each event is about one object, whose row the emitter has locked, so an object's events have the order of its
 * changes.
 */
interface EventDefinition {
  object:
    | "batch"
    | "payin"
    | "payment"
    | "infraction"
    | "pix_key"
    | "company"
    | "limit_raise"
    | "user"
    | "credential"
    | "approval_request"
    | "export"
    | "invoice";
  version: number;
  payload: z.ZodObject;
}

const ofBatch = { object: "batch", version: 1, payload: z.object({}) } as const;
/** The name at the time of the event; the object may have changed, or the key may belong to another owner. */
const batchSnapshot = { name: z.string(), payments: z.int(), amount: z.int() };
const person = z.object({ id: z.uuid(), name: z.string() });
/** The source of the outcome. Absent in events older than the field, where the source is the network. */
const reportedBy = z.enum(["network", "operator", "system"]).optional();
const outcome = { batchId: z.uuid(), amount: z.int().positive() };
/** A person or a credential of the company. */
const actor = z.object({ kind: z.enum(["user", "machine"]), id: z.uuid(), name: z.string() });
export type EventActor = z.infer<typeof actor>;
const ofPayin = { amount: z.int().positive() };
/** `refundId`: the row of the request, which distinguishes a failed refund from a later successful one. */
const ofRefund = { ...ofPayin, refundId: z.uuid() };
const noPayload = z.object({});
/**
 * The recipients of the notification at the time of the event: the people who decide about the company's payments. A
 * person who loses that right a moment later, perhaps through the same attacker, is still notified.
 */
const adminsToNotify = { admins: z.array(z.uuid()) };
const limit = {
  ...adminsToNotify,
  by: z.string(),
  period: z.enum(limitPeriods),
  type: z.enum(["TED", "PIX", "TEV", "BILLET"] satisfies PaymentMethod[]),
  value: z.int().nonnegative(),
};
/** `replaced`: the pending raise that the change withdrew. */
const changedLimit = {
  ...limit,
  from: z.int().nonnegative(),
  replaced: z
    .object({ value: z.int().nonnegative(), by: z.string(), takesEffectAt: z.iso.datetime() })
    .nullable(),
};
const lines = z.array(z.object({ label: z.string(), value: z.string() }));
/**
 * The person whose access an admin changed, recorded here because the user may be removed before the event is handled.
 */
const access = { ...adminsToNotify, by: z.string(), name: z.string(), email: z.string() };
const profile = z.enum(profiles);
const ofUser = { object: "user", version: 1, payload: z.object({}) } as const;
/** `owner`: the person who made the change, when they are not among the admins. */
const credential = {
  ...adminsToNotify,
  by: z.string(),
  owner: z.uuid().nullable(),
  name: z.string(),
  clientId: z.string(),
};
/**
 * A money movement or a change that waits for other people. `kind`: its type; `facts`: the details that an approver
 * reads.
 */
const request = {
  ...adminsToNotify,
  by: person,
  requestedBy: z.uuid(),
  kind: z.string(),
  facts: lines,
  /** True for the company's first withdrawal account. */
  isFirst: z.boolean().optional(),
};
const pixKey = { ...adminsToNotify, keyType: z.enum(pixKeyTypes), key: z.string() };

export const eventCatalogue = {
  /** The batch waits for other people's approval. `checks`: sentences about unusual payments. */
  "batch.approval_requested": {
    object: "batch",
    version: 1,
    payload: z.object({ ...batchSnapshot, by: person, checks: z.array(z.string()) }),
  },
  /** The batch is a draft again, because an approver rejected it. */
  "batch.rejected": {
    object: "batch",
    version: 1,
    payload: z.object({
      ...batchSnapshot,
      by: person,
      reason: z.string().nullable(),
      createdBy: z.uuid().nullable(),
    }),
  },
  /**
   * The batch is a draft again automatically: it waited for money and could not be paid in its present state. `people`:
   * the people who made, closed and approved it.
   */
  "batch.sent_back": {
    object: "batch",
    version: 1,
    payload: z.object({ ...batchSnapshot, reason: z.string(), people: z.array(z.uuid()) }),
  },
  /**
   * An approval was given; the last one closes the batch. `closed`: only in the last one, the approved content and its
   * author.
   */
  "batch.approved": {
    object: "batch",
    version: 1,
    payload: z.object({
      by: actor,
      closed: z.object({ ...batchSnapshot, createdBy: z.uuid().nullable() }).optional(),
    }),
  },
  /** The batch was closed by a decision that needs no approval. It is released once its money is on the balance. */
  "batch.closed": { object: "batch", version: 1, payload: z.object({ by: actor }) },
  /** The money of the batch is reserved and its payments are being sent. */
  "batch.released": ofBatch,
  /** The schedule of the whole batch was cancelled, and its money was returned. */
  "batch.cancelled": { object: "batch", version: 1, payload: z.object({ by: actor.optional() }) },
  /** Each payment of the batch has an outcome, failures included. Emitted again after a correction. */
  "batch.settled": ofBatch,
  /** The money arrived. `isFinal`: no bank can return it any more; absent where this was not yet known. */
  "payment.settled": {
    object: "payment",
    version: 1,
    payload: z.object({ ...outcome, isFinal: z.literal(true).optional(), by: reportedBy }),
  },
  /** The arrived money can no longer be returned. */
  "payment.finished": { object: "payment", version: 1, payload: z.object({ ...outcome, by: reportedBy }) },
  /**
   * The money did not leave and waits in its batch. `reason`: in words. `by`: who refused it, the network, or the
   * system before it was sent. Older events lack both fields.
   */
  "payment.failed": {
    object: "payment",
    version: 1,
    payload: z.object({
      ...outcome,
      reason: z.string().nullable().optional(),
      by: reportedBy,
    }),
  },
  /** The payment was claimed for the network under its own id; emitted the first time and after each correction. */
  "payment.sent": {
    object: "payment",
    version: 1,
    payload: z.object({ ...outcome, attempt: z.int().positive() }),
  },
  /**
   * A failed payment is resent. `scheduledFor`: null where it leaves at once. `change`: the corrected values,
   * before and after, with documents masked; omitted where nothing changed.
   */
  "payment.sent_again": {
    object: "payment",
    version: 1,
    payload: z.object({
      ...outcome,
      by: actor,
      scheduledFor: z.iso.datetime().nullable(),
      change: z.string().optional(),
      approvedBy: z.array(z.string()).optional(),
    }),
  },
  /** The network returned the money: it had arrived, or a payment of this kind cannot be corrected. */
  "payment.returned": {
    object: "payment",
    version: 1,
    payload: z.object({ ...outcome, reason: z.string().nullable(), by: reportedBy }),
  },
  /** A person returned the money of a failed payment to the balance. */
  "payment.given_back": { object: "payment", version: 1, payload: z.object({ ...outcome, by: actor }) },
  /** The schedule of the single payment was cancelled, and its money was returned. */
  "payment.cancelled": { object: "payment", version: 1, payload: z.object({ ...outcome, by: actor }) },
  /** The money of a withdrawal is on the balance again. The object is its single payment. */
  "withdrawal.returned": {
    object: "payment",
    version: 1,
    payload: z.object({ ...adminsToNotify, amount: z.int().positive(), reason: z.string().nullable() }),
  },
  /** The money of the payin is on the balance. */
  "payin.received": { object: "payin", version: 1, payload: z.object(ofPayin) },
  /** A card sale was authorised, which promises the money. */
  "payin.authorized": { object: "payin", version: 1, payload: z.object(ofPayin) },
  /** Part of a card sale's amount is on the balance: all instalments that were due. */
  "payin.instalment_received": { object: "payin", version: 1, payload: z.object(ofPayin) },
  /** A charge that can no longer be paid. `reason`: a code of the acquirer, for a refused card. */
  "payin.ended": {
    object: "payin",
    version: 1,
    payload: z.object({
      ...ofPayin,
      status: z.enum(["unauthorized", "expired", "canceled_by_user", "canceled_by_psp"]),
      reason: z.string().nullable(),
    }),
  },
  /** The amount is no longer available to the company. */
  "payin.blocked": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofPayin, reason: z.string().nullable() }),
  },
  /** The analysis of the block ended, and the payin stays blocked. */
  "payin.block_kept": { object: "payin", version: 1, payload: noPayload },
  /** The money is available to the company again, or about to leave by a refund. */
  "payin.unblocked": { object: "payin", version: 1, payload: z.object(ofPayin) },
  /** The network found fraud: the blocked money returns to its payer. */
  "payin.rejected": { object: "payin", version: 1, payload: noPayload },
  /** The money left the balance, and the network has to return it to the payer. */
  "payin.refund_asked": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofRefund, by: actor.nullable() }),
  },
  /** `by`: absent where no outside party decided, for example after a contestation that the company accepted. */
  "payin.refunded": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofRefund, by: z.literal("network").optional() }),
  },
  /** The network did not return the money: it is on the balance again, or blocked. */
  "payin.refund_failed": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofRefund, reason: z.string() }),
  },
  /**
   * A second payment of something already paid. `canGoBack`: a refund is possible without asking the payer for an
   * account.
   */
  "payin.doubled": {
    object: "payin",
    version: 1,
    payload: z.object({
      amount: z.int().positive(),
      canGoBack: z.boolean(),
      payer: z.string().nullable(),
      charge: z.string().nullable(),
    }),
  },
  /** The payer reported the payin as fraud. */
  "infraction.reported": {
    object: "infraction",
    version: 1,
    payload: z.object({
      ...adminsToNotify,
      amount: z.int().positive(),
      payer: z.string(),
      situation: z.enum(situationTypes),
      answerDueAt: z.iso.datetime(),
    }),
  },
  /** Another institution's customer claims a key of the company. */
  "pix_key.asked_for": {
    object: "pix_key",
    version: 1,
    payload: z.object({ ...pixKey, claim: z.enum(claimKinds), answerUntil: z.iso.datetime() }),
  },
  /** The company did not answer in time, so the key went to its claimer. */
  "pix_key.lost": { object: "pix_key", version: 1, payload: z.object(pixKey) },
  "pix_key.given_up": {
    object: "pix_key",
    version: 1,
    payload: z.object({ ...pixKey, by: z.string(), how: z.enum(["delete", "release"]) }),
  },
  /** The limit was lowered or restored; the change takes effect at once. */
  "limit.changed": {
    object: "company",
    version: 1,
    payload: z.object(changedLimit),
  },
  "limit.raise_asked": {
    object: "limit_raise",
    version: 1,
    payload: z.object({ ...changedLimit, takesEffectAt: z.iso.datetime() }),
  },
  "limit.raise_cancelled": { object: "limit_raise", version: 1, payload: z.object(limit) },
  /** The reply-to address of the company's e-mails changed. */
  "company.reply_to_changed": {
    object: "company",
    version: 1,
    payload: z.object({ ...adminsToNotify, by: z.string(), from: z.string().nullable(), to: z.string() }),
  },
  /** A withdrawal account was saved without an approval. */
  "company.withdrawal_account_saved": {
    object: "company",
    version: 1,
    payload: z.object({ ...adminsToNotify, by: z.string(), isFirst: z.boolean(), facts: lines }),
  },
  /** The approval policy changed. `inForceAt`: null where it takes effect at once. */
  "company.controls_changed": {
    object: "company",
    version: 1,
    payload: z.object({
      ...adminsToNotify,
      by: z.string(),
      approvedBy: z.string().nullable(),
      inForceAt: z.iso.datetime().nullable(),
      facts: lines,
    }),
  },
  /** `approvers`: the people who may approve the request. */
  "approval.requested": {
    object: "approval_request",
    version: 1,
    payload: z.object({ ...request, approvers: z.array(z.uuid()) }),
  },
  /** One approval was given; `missing: 0` means that the request was executed. */
  "approval.given": {
    object: "approval_request",
    version: 1,
    payload: z.object({ ...request, missing: z.int().nonnegative() }),
  },
  /** An approver rejected the request, or the requester withdrew it. */
  "approval.refused": {
    object: "approval_request",
    version: 1,
    payload: z.object({ ...request, isOwn: z.boolean(), reason: z.string().nullable() }),
  },
  "user.created": { object: "user", version: 1, payload: z.object({ ...access, profile }) },
  "user.access_changed": {
    object: "user",
    version: 1,
    payload: z.object({ ...access, from: profile, to: profile }),
  },
  "user.removed": { object: "user", version: 1, payload: z.object({ ...access, profile }) },
  /** An admin removed the person's second factor. `admins`: of any application, except those two. */
  "user.factor_reset": { object: "user", version: 1, payload: z.object(access) },
  /** The person turned the second factor on or off. */
  "user.factor_changed": {
    object: "user",
    version: 1,
    payload: z.object({ ...adminsToNotify, name: z.string(), isOn: z.boolean() }),
  },
  "user.recovery_codes_made": ofUser,
  "user.recovery_code_used": {
    object: "user",
    version: 1,
    payload: z.object({ left: z.int().nonnegative() }),
  },
  "user.password_changed": {
    object: "user",
    version: 1,
    payload: z.object({ endedCredentials: z.boolean() }),
  },
  /** The person chose a password through a link sent by e-mail. */
  "user.password_chosen": ofUser,
  "credential.created": { object: "credential", version: 1, payload: z.object(credential) },
  "credential.revoked": { object: "credential", version: 1, payload: z.object(credential) },
  /** A requested file is ready, or could not be generated. */
  "export.ended": { object: "export", version: 1, payload: z.object({ isReady: z.boolean() }) },
  /** The payments counted by an invoice were requested as a file, which is written while it is fetched. */
  "invoice.report_requested": {
    object: "invoice",
    version: 1,
    payload: z.object({ by: z.uuid(), month: z.iso.date() }),
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof eventCatalogue;
export type PayloadOf<T extends EventType> = z.output<(typeof eventCatalogue)[T]["payload"]>;
