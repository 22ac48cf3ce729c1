/** Properties of a kind of payment that its lists need, as data. Everything else is the same for each kind. */
import type { RawBuilder } from "kysely";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { PaymentKind } from "../payment-columns.ts";

export interface ListedKind<Row extends { id: string }, Facts, Shown> {
  type: PaymentKind;
  readFacts(tx: Tx, now: Date): Promise<Facts>;
  /** Returns the rows in any order. Skips ids of another kind or company. */
  rowsById(tx: Tx, ids: readonly string[]): Promise<Row[]>;
  /** Converts a row into its wire shape. */
  shown(row: Row, facts: Facts): Shown;
  /** Returns the condition on a row of `transfers t` for a search among the payments of a batch. */
  heldInBatch(search: string, now: Date): RawBuilder<unknown>;
  /** Returns the condition for a search over all batches, with the row of `batches b`. */
  heldOverAll(search: string, now: Date): RawBuilder<unknown>;
  ofBank(ispb: string): RawBuilder<unknown>;
  /** Condition for draft payments that count as failed in addition to the wrong ones. */
  countsAsFailed: RawBuilder<unknown>;
}

export interface FoundPage {
  ids: string[];
  count: number;
}

/** Returns the payments in the order of the ids. */
export async function showPayments<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  ids: readonly string[],
  now: Date,
): Promise<Shown[]> {
  const [facts, rows] = await Promise.all([kind.readFacts(tx, now), kind.rowsById(tx, ids)]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row ? [kind.shown(row, facts)] : [];
  });
}

export async function showPage<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  { ids, count }: FoundPage,
  itemsPerPage: number,
  now: Date,
) {
  return {
    data: await showPayments(tx, kind, ids, now),
    metadata: { pagination: { itemsPerPage, totalItems: count } },
  };
}

export async function readPayment<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  id: string,
  now: Date,
): Promise<Shown> {
  const [shown] = await showPayments(tx, kind, [id], now);
  if (!shown) throw new AppError("not_found");
  return shown;
}
