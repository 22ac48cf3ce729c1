/**
 * What happens in Malote, as events that subscribers act on (decision 0046). A version's schema never loses or changes a field:
 * another meaning is another version. An event names its object; whatever has to be true when it is handled is read then.
 */
import { situationTypes } from "@malote/domain/infraction";
import type { PaymentType } from "@malote/domain/limits";
import { claimKinds } from "@malote/domain/own-pix-key";
import { limitPeriods } from "@malote/domain/payment-limits";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { profiles } from "./policy.ts";

/**
 * Each is about one object, whose row the emitter has locked: the order of an object's events is the order of its
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
/** The value then: it may be changed since, or be another key's by now. */
const batchSnapshot = { name: z.string(), payments: z.int(), amount: z.int() };
const person = z.object({ id: z.uuid(), name: z.string() });
/** Whose word it is; absent in events from before it was recorded, and then the network's. */
const saidBy = z.enum(["network", "operator", "system"]).optional();
const outcome = { batchId: z.uuid(), amount: z.int().positive() };
/** Of the company: a person, or a credential. */
const actor = z.object({ kind: z.enum(["user", "machine"]), id: z.uuid(), name: z.string() });
export type EventActor = z.infer<typeof actor>;
const ofPayin = { amount: z.int().positive() };
/** `refundId`: the row of the request, so that a failed refund and a later successful one can be distinguished. */
const ofRefund = { ...ofPayin, refundId: z.uuid() };
const nothing = z.object({});
/**
 * Who was to be notified when it happened: those who decide about the company's payments. A person who loses that
 * right a moment later, perhaps through the same attacker, is still notified.
 */
const known = { admins: z.array(z.uuid()) };
const limit = {
  ...known,
  by: z.string(),
  period: z.enum(limitPeriods),
  type: z.enum(["TED", "PIX", "TEV", "BILLET"] satisfies PaymentType[]),
  value: z.int().nonnegative(),
};
/** `replaced`: a pending raise that was withdrawn. */
const changedLimit = {
  ...limit,
  from: z.int().nonnegative(),
  replaced: z
    .object({ value: z.int().nonnegative(), by: z.string(), takesEffectAt: z.iso.datetime() })
    .nullable(),
};
const lines = z.array(z.object({ label: z.string(), value: z.string() }));
/** The person whose access an admin changed: they may be removed by the time it is read. */
const access = { ...known, by: z.string(), name: z.string(), email: z.string() };
const profile = z.enum(profiles);
const ofUser = { object: "user", version: 1, payload: z.object({}) } as const;
/** `owner`: the person who did it, where they are no admin and so not among those. */
const credential = {
  ...known,
  by: z.string(),
  owner: z.uuid().nullable(),
  name: z.string(),
  clientId: z.string(),
};
/**
 * A payment of money, or a change, that waits for other people. `kind`: which; `facts`: what an approver reads about
 * it.
 */
const request = {
  ...known,
  by: person,
  requestedBy: z.uuid(),
  kind: z.string(),
  facts: lines,
  /** True for a withdrawal account where the company has none yet. */
  isFirst: z.boolean().optional(),
};
const pixKey = { ...known, keyType: z.enum(pixKeyTypes), key: z.string() };

export const eventCatalogue = {
  /** Waits for other people's approval. `checks`: what is unusual in it, in sentences. */
  "batch.approval_requested": {
    object: "batch",
    version: 1,
    payload: z.object({ ...batchSnapshot, by: person, checks: z.array(z.string()) }),
  },
  /** A draft again, because an approver rejected it. */
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
   * A draft again automatically: it waited for money, and could not be paid as it is. `people`: who made, closed and
   * approved it.
   */
  "batch.sent_back": {
    object: "batch",
    version: 1,
    payload: z.object({ ...batchSnapshot, reason: z.string(), people: z.array(z.uuid()) }),
  },
  /** Each approval; the last one closes the batch. `closed`: of the last one, what was approved and who made it. */
  "batch.approved": {
    object: "batch",
    version: 1,
    payload: z.object({
      by: actor,
      closed: z.object({ ...batchSnapshot, createdBy: z.uuid().nullable() }).optional(),
    }),
  },
  /** By a decision that needed no approval of others. It is released once its money is there. */
  "batch.closed": { object: "batch", version: 1, payload: z.object({ by: actor }) },
  /** Its money is reserved and its payments are sent. */
  "batch.released": ofBatch,
  /** Taken off its schedule as a whole, its money is back. */
  "batch.cancelled": { object: "batch", version: 1, payload: z.object({ by: actor.optional() }) },
  /** Each of its payments has an outcome, failures counted; again after one was corrected. */
  "batch.settled": ofBatch,
  /** The money arrived. `isFinal`: no bank can return it any more; absent where that was not known yet. */
  "payment.settled": {
    object: "payment",
    version: 1,
    payload: z.object({ ...outcome, isFinal: z.literal(true).optional(), by: saidBy }),
  },
  /** What had arrived is not sent back any more. */
  "payment.finished": { object: "payment", version: 1, payload: z.object({ ...outcome, by: saidBy }) },
  /**
   * The money did not leave, and waits in its batch. `reason`: in words. `by`: who refused it, the network, or the
   * system before it was sent. Both are absent in events from before they were recorded.
   */
  "payment.failed": {
    object: "payment",
    version: 1,
    payload: z.object({
      ...outcome,
      reason: z.string().nullable().optional(),
      by: saidBy,
    }),
  },
  /** Claimed for the network under an id of its own; the first time, and after each correction. */
  "payment.sent": {
    object: "payment",
    version: 1,
    payload: z.object({ ...outcome, attempt: z.int().positive() }),
  },
  /**
   * It had failed, and is sent again. `scheduledFor`: null where it leaves at once. `change`: what was corrected, before
   * and after, with documents masked; left out where it goes as it was.
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
  /** The network returned its money: it had arrived, or a payment of its kind cannot be corrected. */
  "payment.returned": {
    object: "payment",
    version: 1,
    payload: z.object({ ...outcome, reason: z.string().nullable(), by: saidBy }),
  },
  /** It had failed, and a person returned its money to the balance. */
  "payment.given_back": { object: "payment", version: 1, payload: z.object({ ...outcome, by: actor }) },
  /** Taken off its schedule alone, its money is back. */
  "payment.cancelled": { object: "payment", version: 1, payload: z.object({ ...outcome, by: actor }) },
  /** Money under way to the company's own account is on the balance again. The object is its single payment. */
  "withdrawal.returned": {
    object: "payment",
    version: 1,
    payload: z.object({ ...known, amount: z.int().positive(), reason: z.string().nullable() }),
  },
  /** Its money is on the balance. */
  "payin.received": { object: "payin", version: 1, payload: z.object(ofPayin) },
  /** A card promised it. */
  "payin.authorized": { object: "payin", version: 1, payload: z.object(ofPayin) },
  /** A part of a card sale's promised amount is on the balance: all instalments that were due. */
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
  /** So much of it is out of the company's reach. */
  "payin.blocked": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofPayin, reason: z.string().nullable() }),
  },
  /** Its analysis ended, and it stays blocked. */
  "payin.block_kept": { object: "payin", version: 1, payload: nothing },
  /** Released to the company again, or about to leave by a refund. */
  "payin.unblocked": { object: "payin", version: 1, payload: z.object(ofPayin) },
  /** Found to be fraud: the blocked money goes back to its payer. */
  "payin.rejected": { object: "payin", version: 1, payload: nothing },
  /** Its money left the balance, and the network is asked to return it to the payer. */
  "payin.refund_asked": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofRefund, by: actor.nullable() }),
  },
  /** `by`: absent where no outside party was asked or said so, as after a contestation that the company accepted. */
  "payin.refunded": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofRefund, by: z.literal("network").optional() }),
  },
  /** The network did not return it: the money is on the balance again, or blocked. */
  "payin.refund_failed": {
    object: "payin",
    version: 1,
    payload: z.object({ ...ofRefund, reason: z.string() }),
  },
  /** A second payment of what was paid already. `canGoBack`: by a refund, without asking the payer for an account. */
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
  /** The payer reports it as fraud. */
  "infraction.reported": {
    object: "infraction",
    version: 1,
    payload: z.object({
      ...known,
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
  /** Lower, or what it was before; in force at once. */
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
  /** The address that gets the answers to the company's e-mails. */
  "company.reply_to_changed": {
    object: "company",
    version: 1,
    payload: z.object({ ...known, by: z.string(), from: z.string().nullable(), to: z.string() }),
  },
  /** A withdrawal account was saved without an approval. */
  "company.withdrawal_account_saved": {
    object: "company",
    version: 1,
    payload: z.object({ ...known, by: z.string(), isFirst: z.boolean(), facts: lines }),
  },
  /** Who must approve what. `inForceAt`: null where it counts at once. */
  "company.controls_changed": {
    object: "company",
    version: 1,
    payload: z.object({
      ...known,
      by: z.string(),
      approvedBy: z.string().nullable(),
      inForceAt: z.iso.datetime().nullable(),
      facts: lines,
    }),
  },
  /** `approvers`: who could approve it. */
  "approval.requested": {
    object: "approval_request",
    version: 1,
    payload: z.object({ ...request, approvers: z.array(z.uuid()) }),
  },
  /** One approval; `missing: 0` means it was carried out. */
  "approval.given": {
    object: "approval_request",
    version: 1,
    payload: z.object({ ...request, missing: z.int().nonnegative() }),
  },
  /** Rejected by an approver, or withdrawn by the requester. */
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
  /** The second factor, removed by an admin. `admins`: of any application, except those two. */
  "user.factor_reset": { object: "user", version: 1, payload: z.object(access) },
  /** The second factor, turned on or off by the person. */
  "user.factor_changed": {
    object: "user",
    version: 1,
    payload: z.object({ ...known, name: z.string(), isOn: z.boolean() }),
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
  /** A person chose a password through a link that was sent to them. */
  "user.password_chosen": ofUser,
  "credential.created": { object: "credential", version: 1, payload: z.object(credential) },
  "credential.revoked": { object: "credential", version: 1, payload: z.object(credential) },
  /** A requested file is ready, or could not be made. */
  "export.ended": { object: "export", version: 1, payload: z.object({ isReady: z.boolean() }) },
  /** The payments that an invoice counted, as a file that is written when it is fetched. */
  "invoice.report_requested": {
    object: "invoice",
    version: 1,
    payload: z.object({ by: z.uuid(), month: z.iso.date() }),
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof eventCatalogue;
export type PayloadOf<T extends EventType> = z.output<(typeof eventCatalogue)[T]["payload"]>;
