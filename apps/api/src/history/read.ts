import type { History, HistoryEntry, readPayinHistory, readPaymentHistory } from "@malote/contracts/history";
import { instantOrNull } from "@malote/contracts/wire";
import { findBatchOfPayment } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { readProgress } from "../platform/events/progress.ts";
import type { Call } from "../platform/http/serve.ts";
import { historySubscriber } from "./record.ts";
import { isPayinShown, listPayinMoments, listPaymentMoments, type MomentRow } from "./store.ts";

const momentsShown = 50;

/**
 * Reads a payment's history. It shows no more of the payee than the details do, so each reader of the payment may read
 * it.
 */
export async function readOfPayment(tx: Tx, { params, query }: Call<typeof readPaymentHistory>) {
  const batchId = await findBatchOfPayment(tx, params.id);
  if (batchId === undefined) throw new AppError("not_found");
  const { id } = params;
  return readHistory(
    tx,
    { page: query.page, objects: [id, batchId] },
    listPaymentMoments(tx, { id, batchId }),
  );
}

export async function readOfPayin(tx: Tx, { params, query }: Call<typeof readPayinHistory>) {
  if (!(await isPayinShown(tx, params.id))) throw new AppError("not_found");
  const { id } = params;
  return readHistory(tx, { page: query.page, objects: [id] }, listPayinMoments(tx, id));
}

async function readHistory(
  tx: Tx,
  { page, objects }: { page: number; objects: readonly string[] },
  moments: Promise<readonly MomentRow[]>,
): Promise<History> {
  const [rows, { since, isStuck, isLate }] = await Promise.all([
    moments,
    readProgress(tx, historySubscriber, objects),
  ]);
  return {
    items: rows.slice(page * momentsShown, (page + 1) * momentsShown).map(entryOf),
    kept_since: instantOrNull(since),
    missing: isStuck ? "stuck" : isLate ? "late" : null,
    metadata: { pagination: { itemsPerPage: momentsShown, totalItems: rows.length } },
  };
}

const entryOf = (row: MomentRow): HistoryEntry => ({
  what: row.what,
  at: row.at.toISOString(),
  amount: row.amount,
  status: row.status,
  reason: row.reason,
  attempt: row.attempt,
  scheduled_for: instantOrNull(row.scheduled_for),
  actor: row.actor_kind && { kind: row.actor_kind, name: row.actor_name },
  kept: row.kept,
});
