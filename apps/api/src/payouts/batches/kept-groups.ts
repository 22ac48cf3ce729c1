/**
 * Groups of the mistakes of a large draft, counted once for each of its contents: for a hundred thousand wrong payments
 * it takes a second, and every look at the draft asks for them.
 */
import type { Tx } from "../../platform/db/database.ts";
import { type DayFacts, readBlockedPayees } from "../rules/day-facts.ts";
import type { BatchRow } from "./store.ts";

/** A draft of fewer payments is counted each time. */
const largeFrom = 2_000;
/** Drafts of which a process keeps the groups; the one kept first goes first. */
const keptMax = 100;

interface Counted {
  /**
   * True when a payment has a Pix code or a boleto: whether it is wrong then depends on the minute and on other
   * batches, so that nothing is kept.
   */
  hasCodes: boolean;
}

const kept = new Map<string, { of: string; counted: Counted }>();

const nameOf = (tx: Tx, batchId: string) => `${tx.companyId} ${batchId}`;

/** Returns what was counted for the same content, day and rules; counts otherwise. */
export async function countedOnce<Result extends Counted>(
  tx: Tx,
  { id, revision, status, payments_count }: Pick<BatchRow, "id" | "revision" | "status" | "payments_count">,
  { today, tedClosedToday, maxCents, boletoMaxCents, suspended }: DayFacts,
  count: () => Promise<Result>,
): Promise<Result> {
  if (payments_count < largeFrom) return count();
  const rules = { today, tedClosedToday, maxCents, boletoMaxCents, suspended };
  const of = JSON.stringify([revision, status, rules, await readBlockedPayees(tx)]);
  const name = nameOf(tx, id);
  const before = kept.get(name);
  // Only this function writes what is under the name, and of one caller.
  if (before?.of === of) return before.counted as Result;
  const counted = await count();
  kept.delete(name);
  if (counted.hasCodes) return counted;
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= keptMax) kept.delete(oldest);
  kept.set(name, { of, counted });
  return counted;
}
