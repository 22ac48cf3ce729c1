/**
 * Funding of a batch that waits for balance: what is asked before its money is reserved, and what follows from each
 * answer. Batches are taken oldest first (ruling D18).
 */
import type { Cents } from "./money.ts";

/**
 * - `stop`: nothing of the company is paid in this turn.
 * - `hold`: the batch keeps waiting, and younger ones may pass, because money would not help it.
 * - `send_back`: the batch returns to draft, because a person must look at it.
 */
export type FundingTurn = "stop" | "hold" | "send_back";

/** Findings in the order of their checks. The first one found decides. */
export const fundingFindings = [
  { finding: "company_blocked", turn: "stop" },
  // A suspension cancels nothing, like a block, and the next batch may use another method.
  { finding: "method_suspended", turn: "hold" },
  // Closing would refuse the batch today.
  { finding: "payments_forbidden", turn: "send_back" },
  // An approval covers the approved amount only.
  { finding: "payments_repriced", turn: "send_back" },
  { finding: "approval_missing", turn: "send_back" },
] as const satisfies readonly { finding: string; turn: FundingTurn }[];

export type FundingFinding = (typeof fundingFindings)[number]["finding"];

/** Check of each finding; it returns the finding's details, or undefined when there is nothing. */
export type FundingQuestions<Details> = Readonly<Record<FundingFinding, () => Promise<Details | undefined>>>;

export type FoundFinding<Details> = (typeof fundingFindings)[number] & { details: Details };

/** Returns the finding that decides, without the checks after it; undefined when the money may be reserved. */
export async function firstFinding<Details>(
  questions: FundingQuestions<Details>,
): Promise<FoundFinding<Details> | undefined> {
  for (const one of fundingFindings) {
    const details = await questions[one.finding]();
    if (details !== undefined) return { ...one, details };
  }
  return undefined;
}

/**
 * Returns the turn of a batch that exceeds a limit. The balance counts before the limit: a batch that lacks both waits
 * for money, and holds back the younger ones.
 */
export function turnOfShortage({
  neverFits,
  available,
  value,
}: {
  /** True when no period of the limit can hold the batch. */
  neverFits: boolean;
  available: Cents;
  value: Cents;
}): FundingTurn {
  if (neverFits) return "send_back";
  return available < value ? "stop" : "hold";
}
