/** Work on batches that waits for a person, for the home page. */

import { approveBatch, closeBatch } from "@malote/contracts/batch-life";
import { saveBatch } from "@malote/contracts/batches";
import { resendFailures } from "@malote/contracts/failures";
import { isBusinessDay, saoPauloDate, startOfDay, tedCutOff } from "@malote/domain/calendar";
import { minuteMs } from "@malote/domain/durations";
import { countApprovable, findNoApproverReason } from "../../controls/index.ts";
import type { WorkSource } from "../../home/index.ts";
import { readAvailableBalance } from "../../ledger/index.ts";
import { readDayFacts } from "../rules/day-facts.ts";
import * as store from "./work-store.ts";

/** Returns the last instant at which a TED still runs today; null when none runs today or the cut-off has passed. */
export function tedDeadline(now: Date): string | null {
  const today = saoPauloDate(now);
  if (!isBusinessDay(today)) return null;
  const [hours = 0, minutes = 0] = tedCutOff.split(":").map(Number);
  const cutOff = new Date(startOfDay(today).getTime() + (hours * 60 + minutes) * minuteMs);
  return now <= cutOff ? cutOff.toISOString() : null;
}

const batchOf = ({
  id,
  name,
  type,
  value,
}: {
  id: string;
  name: string;
  type: "TRANSFER" | "BILLET";
  value: number;
}) => ({
  id,
  name,
  type,
  value,
});

const approvals: WorkSource = {
  policy: approveBatch.policy,
  async list(tx, { actor, now }) {
    const rows = await store.listBatchesToApprove(tx, actor.id, saoPauloDate(now));
    const refusals = await Promise.all(rows.map((row) => findNoApproverReason(tx, { actor, now }, row)));
    return rows
      .filter((_, n) => refusals[n] === undefined)
      .map((row) => ({
        kind: "approve_batch" as const,
        ...batchOf(row),
        due_at: row.has_ted_today ? tedDeadline(now) : null,
        payments_count: row.payments_count,
        created_by: row.created_by_name,
      }));
  },
  count: async (tx, request) =>
    countApprovable(tx, request, await store.listEditorsOfBatchesToApprove(tx, request.actor.id)),
};

const funding: WorkSource = {
  policy: closeBatch.policy,
  async list(tx, { now }) {
    const [rows, balance] = await Promise.all([
      store.listBatchesToFund(tx, saoPauloDate(now)),
      readAvailableBalance(tx),
    ]);
    return rows.map((row) => ({
      kind: "fund_batch" as const,
      ...batchOf(row),
      due_at: row.has_ted_today ? tedDeadline(now) : null,
      payments_count: row.payments_count,
      missing: Math.max(0, Math.min(row.value, row.before + row.value - balance)),
    }));
  },
  count: store.countBatchesToFund,
};

const failures: WorkSource = {
  policy: resendFailures.policy,
  async list(tx) {
    const rows = await store.listBatchesWithFailures(tx);
    return rows.map((row) => ({
      kind: "resolve_failures" as const,
      ...batchOf(row),
      due_at: null,
      failed_count: row.failed_count,
    }));
  },
  count: store.countBatchesWithFailures,
};

const lateDrafts: WorkSource = {
  policy: saveBatch.policy,
  async list(tx, { now }) {
    const rows = await store.listExpiredDrafts(tx, await readDayFacts(tx, now));
    return rows.map((row) => ({
      kind: "choose_dates" as const,
      ...batchOf(row),
      due_at: null,
      late_count: row.late_count,
      unpayable_count: row.unpayable_count,
      since: row.since,
    }));
  },
  count: async (tx, { now }) => store.countExpiredDrafts(tx, await readDayFacts(tx, now)),
};

export const batchWork: readonly WorkSource[] = [approvals, funding, failures, lateDrafts];
