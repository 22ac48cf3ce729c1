/** Approval rules for outgoing money. Every kind of outflow uses them, so that none bypasses the others. */
import { hourMs } from "./durations.ts";
import { foldText } from "./fold-text.ts";
import { type Cents, cents } from "./money.ts";

/** Actions that wait as a request where they need approval; a batch waits as the batch itself. */
export const requestKinds = [
  "CORRECTION",
  "WITHDRAWAL",
  "PAYIN_REFUND",
  "INFRACTION",
  "WITHDRAWAL_ACCOUNT",
  "POLICY",
] as const;
export type RequestKind = (typeof requestKinds)[number];

export const outflowKinds = ["BATCH", ...requestKinds] as const;
export type OutflowKind = (typeof outflowKinds)[number];

/** The number of approvers besides the preparers, from this amount on. */
export interface Band {
  from: Cents;
  approvers: number;
}

export const approversMax = 3;
export const bandsMax = 5;
export const quarantineHoursMax = 168;

export interface ControlPolicy {
  /** 'Exigir aprovação por outra pessoa' (ruling D21). */
  requiresOtherApprover: boolean;
  /** Ordered by amount, the first from zero; a larger amount never needs fewer approvers. */
  bands: readonly Band[];
  /** Operators who may approve in addition to the admins. */
  operatorApprovers: readonly string[];
  /** The amount from which the person who releases money must enter the code of the second factor; null: never. */
  stepUpFrom: Cents | null;
  operatorsMayWithdraw: boolean;
  operatorsMayCorrect: boolean;
  operatorsMayGiveBack: boolean;
  /** Hours during which new people and changed factors cannot approve, and a changed account receives no withdrawal. */
  quarantineHours: number;
}

/** The policy in force, with the effects of earlier policies. */
export interface PolicyInForce extends ControlPolicy {
  /**
   * A person whose quarantine began by this moment completed it under an earlier policy: a longer quarantine makes no
   * person new again.
   */
  countedBefore?: Date;
}

/** The policy of a new company: a single admin may close their own batches. */
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

/** Returns the fault of an invalid policy. `eligible`: the number of people who could approve under it. */
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

/** Returns the most approvers that any amount needs. */
export const strictest = (policy: ControlPolicy): number => approversFor(policy, Number.POSITIVE_INFINITY);

function approversFor({ bands, requiresOtherApprover }: ControlPolicy, amount: number): number {
  const band = bands.findLast(({ from }) => amount >= from);
  return Math.max(band?.approvers ?? 0, requiresOtherApprover ? 1 : 0);
}

const never = () => false;

/** Returns, by field, whether the field's demand depends on the amount; a new field must be added here. */
const amountRules: Readonly<Record<keyof ControlPolicy, (policy: ControlPolicy) => boolean>> = {
  requiresOtherApprover: never,
  bands: ({ bands }) => new Set(bands.map(({ approvers }) => approvers)).size > 1,
  operatorApprovers: never,
  stepUpFrom: ({ stepUpFrom }) => stepUpFrom !== null,
  operatorsMayWithdraw: never,
  operatorsMayCorrect: never,
  operatorsMayGiveBack: never,
  quarantineHours: never,
};

/** Returns whether the policy depends on the amount; only then are the day's sums read. */
export const dependsOnAmount = (policy: ControlPolicy): boolean =>
  Object.values(amountRules).some((isGradedBy) => isGradedBy(policy));

/** Amounts of one money movement; the largest decides, so that splitting a payment does not avoid a limit. */
export interface AmountsToCheck {
  total: Cents;
  largest: Cents;
  /** Sums of this day in São Paulo, including this movement. */
  byPreparer: Cents;
  toPayee: Cents;
  /**
   * For corrections: the part of the batch that goes, or went, to receivers other than the approved ones, on any day.
   */
  redirected?: Cents;
}

export interface Need {
  approvers: number;
  stepUp: boolean;
}

/**
 * Returns the approvals that a money movement needs. A credential without an owner may be used by any person: where the
 * policy demands another approver, one more is needed, so that at least one certainly is another person.
 */
export function needOf(
  policy: ControlPolicy,
  kind: OutflowKind,
  figures: AmountsToCheck,
  { hasUnknownPreparer = false, otherAdmins = 0 } = {},
): Need {
  // A policy change needs a second admin where there is one; it moves no money, so no amount demands more.
  if (kind === "POLICY") return { approvers: otherAdmins > 0 ? 1 : 0, stepUp: policy.stepUpFrom !== null };
  // All later withdrawals go to the account, so its approval counts as an unlimited amount.
  const amount =
    kind === "WITHDRAWAL_ACCOUNT"
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

/** The facts about a person that the approval rules need. */
export interface ApproverFacts {
  id: string;
  isPerson: boolean;
  profile: "admin" | "operator" | "analyst";
  /** The start of their present access: the profile admin, this factor, this password. Null: older than the record. */
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

/** Returns the moment from which a person with changed access may approve again. */
export const approvesFrom = (since: Date, { quarantineHours, countedBefore }: PolicyInForce): Date =>
  countedBefore && since <= countedBefore ? since : new Date(since.getTime() + quarantineHours * hourMs);

/** Returns the moment up to which changes of access no longer make a person new. */
export function newSince({ quarantineHours, countedBefore }: PolicyInForce, now: Date): Date {
  const since = new Date(now.getTime() - quarantineHours * hourMs);
  return countedBefore && countedBefore > since ? countedBefore : since;
}

/** True while the named person is an operator: the controls may name people who have become analysts or admins. */
export const isNamedOperator = (
  { id, profile }: Pick<ApproverFacts, "id" | "profile">,
  { operatorApprovers }: Pick<ControlPolicy, "operatorApprovers">,
): boolean => profile === "operator" && operatorApprovers.includes(id);

/** Returns the reason why this person's approval would not count; undefined when it does. */
export function refusalOfApprover(
  approver: ApproverFacts,
  facts: {
    policy: PolicyInForce;
    need: Pick<Need, "approvers">;
    /** All people who made or last changed it; for a credential, its owner. */
    preparers: readonly string[];
    now: Date;
    kind?: OutflowKind;
  },
): ApproverRefusal | undefined {
  const { policy, need, preparers, now, kind } = facts;
  if (!approver.isPerson) return "approver_not_a_person";
  const isNamed = isNamedOperator(approver, policy);
  if (approver.profile !== "admin" && (!isNamed || kind === "POLICY")) return "forbidden";
  // Operators never decide about their own batch; admins may where no other approver is demanded.
  if (preparers.includes(approver.id) && (isNamed || need.approvers > 0)) return "approver_is_creator";
  const { knownSince } = approver;
  if (need.approvers > 0 && knownSince && now < approvesFrom(knownSince, policy)) return "approver_too_new";
  return undefined;
}

/** The result of checking the code that came with the call. */
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

/** Returns, by field, whether its change permits anything new; a new field must be added here. */
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

/** Returns whether a new policy permits anything that the previous one did not. */
export const isLooser = (before: ControlPolicy, after: ControlPolicy): boolean =>
  Object.values(loosens).some((isLooserBy) => isLooserBy(before, after));

/** Hours that a sole admin waits for a looser policy, so that the other people can react. */
export const loosenAfterHours = 24;

/** Words that do not identify the holder of an account. */
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

/**
 * Returns whether a holder's name can be the company's. Banks shorten and abbreviate names, but a holder that shares no
 * word with the company is another person.
 */
export function isNameOf(company: string, holder: string): boolean {
  const own = wordsOf(company);
  // A name without a distinctive word proves nothing, so the document alone decides.
  if (own.length === 0) return true;
  const held = wordsOf(holder);
  return own.some((word) => held.some((other) => word.startsWith(other) || other.startsWith(word)));
}
