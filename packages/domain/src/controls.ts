/** Whose approval money needs before it leaves. Every way out asks here, so that none of them bypasses the others. */
import { hourMs } from "./durations.ts";
import { foldText } from "./fold-text.ts";
import { type Cents, cents } from "./money.ts";

export const waysOut = [
  "BATCH",
  "CORRECTION",
  "WITHDRAWAL",
  "PAYIN_REFUND",
  "INFRACTION",
  "WITHDRAWAL_ACCOUNT",
  "POLICY",
] as const;
export type WayOut = (typeof waysOut)[number];

/** From this amount on, so many approvers besides the preparers. */
export interface Band {
  from: Cents;
  approvers: number;
}

export const approversMax = 3;
export const bandsMax = 5;
export const quarantineHoursMax = 168;

export interface ControlPolicy {
  /** 'Exigir aprovação por outra pessoa' (decision 21). */
  requiresOtherApprover: boolean;
  /** By amount, the first from zero, never fewer approvers for more money. */
  bands: readonly Band[];
  /** Operators who may approve beside the admins. */
  operatorApprovers: readonly string[];
  /** From this amount on the person who releases money gives the code of the second factor; null: never. */
  stepUpFrom: Cents | null;
  operatorsMayWithdraw: boolean;
  operatorsMayCorrect: boolean;
  operatorsMayGiveBack: boolean;
  /** How long new people and changed factors cannot approve, and a changed account takes no withdrawal. */
  quarantineHours: number;
}

/** With what the policies before it leave behind. */
export interface PolicyInForce extends ControlPolicy {
  /**
   * A person whose quarantine began by then had passed it under an earlier policy: a longer quarantine makes no
   * person new again.
   */
  countedBefore?: Date;
}

/** A new company's policy: one admin closes what they made. */
export const firstPolicy: ControlPolicy = {
  requiresOtherApprover: false,
  bands: [{ from: cents(0), approvers: 0 }],
  operatorApprovers: [],
  stepUpFrom: null,
  operatorsMayWithdraw: true,
  operatorsMayCorrect: true,
  operatorsMayGiveBack: true,
  quarantineHours: 24,
};

export type PolicyFault = "bands" | "people" | "hours";

/** Why a policy is invalid. `eligible`: how many people could approve under it. */
export function faultOfPolicy(policy: ControlPolicy, eligible: number): PolicyFault | undefined {
  const { bands, quarantineHours } = policy;
  const isSteady = bands.every(({ from, approvers }, at) => {
    const before = bands[at - 1];
    const inOrder = before ? from > before.from && approvers >= before.approvers : from === 0;
    return inOrder && approvers >= 0 && approvers <= approversMax;
  });
  if (bands.length === 0 || bands.length > bandsMax || !isSteady) return "bands";
  if (quarantineHours < 0 || quarantineHours > quarantineHoursMax) return "hours";
  return eligible < strictest(policy) ? "people" : undefined;
}

/** The most people that any amount needs. */
export const strictest = (policy: ControlPolicy): number => approversFor(policy, Number.POSITIVE_INFINITY);

function approversFor({ bands, requiresOtherApprover }: ControlPolicy, amount: number): number {
  const band = bands.findLast(({ from }) => amount >= from);
  return Math.max(band?.approvers ?? 0, requiresOtherApprover ? 1 : 0);
}

const never = () => false;

/** By field, whether it demands more of one amount than of another: a new field has to say so. */
const grades: Readonly<Record<keyof ControlPolicy, (policy: ControlPolicy) => boolean>> = {
  requiresOtherApprover: never,
  bands: ({ bands }) => new Set(bands.map(({ approvers }) => approvers)).size > 1,
  operatorApprovers: never,
  stepUpFrom: ({ stepUpFrom }) => stepUpFrom !== null,
  operatorsMayWithdraw: never,
  operatorsMayCorrect: never,
  operatorsMayGiveBack: never,
  quarantineHours: never,
};

/** Whether the amount decides: only then the sums of the day are read. */
export const isGraded = (policy: ControlPolicy): boolean =>
  Object.values(grades).some((isGradedBy) => isGradedBy(policy));

/** The figures of one payment of money; the largest decides, so that splitting does not help. */
export interface Figures {
  total: Cents;
  largest: Cents;
  /** Of this day in São Paulo, this one included. */
  byPreparer: Cents;
  toPayee: Cents;
  /** For corrections: what of the batch goes, or went, to other receivers than were approved, on whatever day. */
  redirected?: Cents;
}

export interface Need {
  approvers: number;
  stepUp: boolean;
}

/**
 * What a payment of money needs. A credential without an owner may be in any person's hands: where the policy demands
 * another approver, one more is needed, so that at least one certainly is another person.
 */
export function needOf(
  policy: ControlPolicy,
  way: WayOut,
  figures: Figures,
  { hasUnknownPreparer = false, otherAdmins = 0 } = {},
): Need {
  // Two admins where there are two; a policy moves no money, so no amount demands more.
  if (way === "POLICY") return { approvers: otherAdmins > 0 ? 1 : 0, stepUp: policy.stepUpFrom !== null };
  // Whatever is withdrawn from then on goes there.
  const amount =
    way === "WITHDRAWAL_ACCOUNT"
      ? Number.POSITIVE_INFINITY
      : Math.max(
          figures.total,
          figures.largest,
          figures.byPreparer,
          figures.toPayee,
          figures.redirected ?? 0,
        );
  const approvers = approversFor(policy, amount);
  return {
    approvers: approvers > 0 && hasUnknownPreparer ? approvers + 1 : approvers,
    stepUp: policy.stepUpFrom !== null && amount >= policy.stepUpFrom,
  };
}

/** What the rules of approval need to know of a person. */
export interface ApproverFacts {
  id: string;
  isPerson: boolean;
  profile: "admin" | "operator" | "analyst";
  /**
   * Since when they have their present access: admin, with this factor, with this password. Null: before that was
   * recorded.
   */
  knownSince: Date | null;
  hasFactor: boolean;
}

export type ApproverRefusal =
  | "forbidden"
  | "approver_not_a_person"
  | "approver_is_creator"
  | "approver_too_new"
  | "step_up_factor_missing"
  | "step_up_required"
  | "second_factor_invalid";

/** Until when a person whose access changed does not approve. */
export const approvesFrom = (since: Date, { quarantineHours, countedBefore }: PolicyInForce): Date =>
  countedBefore && since <= countedBefore ? since : new Date(since.getTime() + quarantineHours * hourMs);

/** Changes of access up to this moment no longer make a person new. */
export function newSince({ quarantineHours, countedBefore }: PolicyInForce, now: Date): Date {
  const since = new Date(now.getTime() - quarantineHours * hourMs);
  return countedBefore && countedBefore > since ? countedBefore : since;
}

/** The controls may still name who was made an analyst since, or an admin. */
export const isNamedOperator = (
  { id, profile }: Pick<ApproverFacts, "id" | "profile">,
  { operatorApprovers }: Pick<ControlPolicy, "operatorApprovers">,
): boolean => profile === "operator" && operatorApprovers.includes(id);

/** Why this person's approval would not count; undefined when it does. */
export function refusalOfApprover(
  approver: ApproverFacts,
  facts: {
    policy: PolicyInForce;
    need: Pick<Need, "approvers">;
    /** All who made or last changed it; for a credential, the person behind it. */
    preparers: readonly string[];
    now: Date;
    way?: WayOut;
  },
): ApproverRefusal | undefined {
  const { policy, need, preparers, now, way } = facts;
  if (!approver.isPerson) return "approver_not_a_person";
  const isNamed = isNamedOperator(approver, policy);
  if (approver.profile !== "admin" && (!isNamed || way === "POLICY")) return "forbidden";
  // An operator never decides about their own batch; an admin does where no other approver is demanded.
  if (preparers.includes(approver.id) && (isNamed || need.approvers > 0)) return "approver_is_creator";
  const { knownSince } = approver;
  if (need.approvers > 0 && knownSince && now < approvesFrom(knownSince, policy)) return "approver_too_new";
  return undefined;
}

/** The code that came with the call, after its check: none, a valid one, or another. */
export type GivenCode = "none" | "good" | "wrong";

export function refusalOfCode(
  approver: Pick<ApproverFacts, "isPerson" | "hasFactor">,
  need: Pick<Need, "stepUp">,
  code: GivenCode,
): ApproverRefusal | undefined {
  if (!need.stepUp) return undefined;
  if (!approver.isPerson) return "approver_not_a_person";
  if (!approver.hasFactor) return "step_up_factor_missing";
  if (code === "none") return "step_up_required";
  return code === "wrong" ? "second_factor_invalid" : undefined;
}

/** By field, whether its change permits anything that it did not before: a new field has to say so. */
const loosens: Readonly<
  Record<keyof ControlPolicy, (before: ControlPolicy, after: ControlPolicy) => boolean>
> = {
  requiresOtherApprover: (before, after) => before.requiresOtherApprover && !after.requiresOtherApprover,
  bands: (before, after) =>
    [...before.bands, ...after.bands].some(
      ({ from }) => approversFor(after, from) < approversFor(before, from),
    ),
  operatorApprovers: (before, after) =>
    after.operatorApprovers.some((id) => !before.operatorApprovers.includes(id)),
  stepUpFrom: (before, after) =>
    before.stepUpFrom !== null && (after.stepUpFrom === null || after.stepUpFrom > before.stepUpFrom),
  operatorsMayWithdraw: (before, after) => !before.operatorsMayWithdraw && after.operatorsMayWithdraw,
  operatorsMayCorrect: (before, after) => !before.operatorsMayCorrect && after.operatorsMayCorrect,
  operatorsMayGiveBack: (before, after) => !before.operatorsMayGiveBack && after.operatorsMayGiveBack,
  quarantineHours: (before, after) => after.quarantineHours < before.quarantineHours,
};

/** Whether a new policy permits anything that the one before did not. */
export const isLooser = (before: ControlPolicy, after: ControlPolicy): boolean =>
  Object.values(loosens).some((isLooserBy) => isLooserBy(before, after));

/** How long a sole admin waits for a looser policy, so that the others read of it first. */
export const loosenAfterHours = 24;

/** What says nothing about whose an account is. */
const noName = new Set([
  "ltda",
  "limitada",
  "eireli",
  "epp",
  "mei",
  "slu",
  "cia",
  "companhia",
  "empresa",
  "comercio",
  "servicos",
  "industria",
  "brasil",
  "the",
  "dos",
  "das",
]);

const wordsOf = (name: string) =>
  foldText(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3 && !noName.has(word));

/** Banks shorten and abbreviate; a holder whose name shares no word with the company's is another person. */
export function isNameOf(company: string, holder: string): boolean {
  const own = wordsOf(company);
  // A name without a distinctive word proves nothing; the document alone decides.
  if (own.length === 0) return true;
  const held = wordsOf(holder);
  return own.some((word) => held.some((other) => word.startsWith(other) || other.startsWith(word)));
}
