/**
 * The indicators: how many payments of batches reached each final status, and when. A payment counts under its present
 * status, on the day it reached it. Withdrawals do not count, because they are not payments of a batch.
 */
import type {
  CountedStatus,
  readCountByStatus,
  readDistributionPerBank,
  readFailedPerStatusDescription,
  readQuantityPerDay,
} from "@malote/contracts/indicators";
import { findBankByIspb } from "@malote/domain/banks";
import type { CalendarDate } from "@malote/domain/calendar";
import { largestShares, percentageOf, refusePeriod, type Share } from "@malote/domain/indicators";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { countPer, countPerBank, countPerReason, countPerStatus, type Period } from "./store.ts";

const statusOf = { finished: "FINISHED", transferred: "TRANSFERRED", returned: "RETURNED" } as const;

function periodOf({ startDate, endDate }: { startDate: string; endDate: string }): Period {
  const period = { start: startDate as CalendarDate, end: endDate as CalendarDate };
  const refusal = refusePeriod(period.start, period.end);
  if (refusal) throw new AppError(refusal);
  return period;
}

export async function readQuantityPer(
  tx: Tx,
  unit: "month" | "day",
  { query }: Pick<Call<typeof readQuantityPerDay>, "query">,
) {
  const statuses = query.status.split(",").map((status) => statusOf[status as CountedStatus]);
  return { data: await countPer(tx, unit, periodOf(query), statuses) };
}

export async function readPerBank(tx: Tx, { query }: Call<typeof readDistributionPerBank>) {
  const banks = await countPerBank(tx, periodOf(query), statusOf[query.status]);
  return { data: withPercentages(banks.map(({ ispb, quantity }) => ({ name: bankName(ispb), quantity }))) };
}

export async function countByStatus(tx: Tx, { query }: Call<typeof readCountByStatus>) {
  const quantities = await countPerStatus(tx, periodOf(query), ["FINISHED", "RETURNED"]);
  return { finished: quantities.get("FINISHED") ?? 0, returned: quantities.get("RETURNED") ?? 0 };
}

/**
 * Returns the reasons of payments that failed or were returned to the balance, after a failure or by the receiver's
 * bank.
 */
export async function readFailedPerDescription(
  tx: Tx,
  { query }: Call<typeof readFailedPerStatusDescription>,
) {
  const reasons = await countPerReason(tx, periodOf(query), ["FAILED", "RETURNED"]);
  const shares = reasons.map(({ reason, quantity }) => ({
    name: reason || "Motivo não informado",
    quantity,
  }));
  return {
    data: withPercentages(shares).map(({ name, ...figures }) => ({ description: name, ...figures })),
  };
}

function bankName(ispb: string): string {
  if (ispb === "") return "Pix por chave";
  return findBankByIspb(ispb)?.name ?? `Banco ${ispb}`;
}

/** Adds percentages, highest first. Merges shares with equal names, because a chart identifies them by name. */
function withPercentages(shares: readonly Share[]) {
  const byName = new Map<string, number>();
  for (const { name, quantity } of shares) byName.set(name, (byName.get(name) ?? 0) + quantity);
  const total = shares.reduce((sum, { quantity }) => sum + quantity, 0);
  const merged = [...byName].map(([name, quantity]) => ({ name, quantity }));
  return largestShares(merged, merged.length).map(({ name, quantity }) => ({
    name,
    percentage: percentageOf(quantity, total),
    quantity,
  }));
}
