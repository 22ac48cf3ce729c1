/**
 * Process cache of the issue groups of large drafts: grouping 100,000 wrong payments takes a second, and each visit to
 * the draft reads the groups.
 */
import type { Tx } from "../../platform/db/database.ts";
import { type DayFacts, readBlockedPayees } from "../rules/day-facts.ts";
import type { BatchRow } from "./store.ts";

/** Groups of a smaller draft are always computed. */
const paymentsMin = 2_000;
/** Maximum number of drafts in the cache; the oldest entry is evicted. */
const draftsMax = 100;

interface Groups {
  /**
   * True when a payment has a Pix code or a boleto: its issues then depend on the minute and on other batches, so the
   * groups are not cached.
   */
  hasCodes: boolean;
}

const cache = new Map<string, { key: string; groups: Groups }>();

/**
 * Returns the cached groups for the draft's revision and the current rules; otherwise runs `compute`. The cache has one
 * caller, so a cached value is always a `Result`.
 */
export async function readCachedGroups<Result extends Groups>(
  tx: Tx,
  { id, revision, status, payments_count }: Pick<BatchRow, "id" | "revision" | "status" | "payments_count">,
  facts: DayFacts,
  compute: () => Promise<Result>,
): Promise<Result> {
  if (payments_count < paymentsMin) return compute();
  // The exact time matters only for Pix codes and boletos, whose groups are not cached; every other fact is in the key.
  const { instant: _, boletoRunsOn: _days, ...rules } = facts;
  const key = JSON.stringify([revision, status, rules, await readBlockedPayees(tx)]);
  const draft = `${tx.companyId} ${id}`;
  const cached = cache.get(draft);
  if (cached?.key === key) return cached.groups as Result;
  const groups = await compute();
  cache.delete(draft);
  if (groups.hasCodes) return groups;
  const [oldest] = cache.keys();
  if (oldest !== undefined && cache.size >= draftsMax) cache.delete(oldest);
  cache.set(draft, { key, groups });
  return groups;
}
