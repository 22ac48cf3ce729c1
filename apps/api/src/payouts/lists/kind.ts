/** What a list has to know of a kind of payment: its form, as data. All else is the same for each kind. */
import type { RawBuilder } from "kysely";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { PaymentKind } from "../payment-columns.ts";

export interface ListedKind<Row extends { id: string }, Facts, Shown> {
  type: PaymentKind;
  readFacts(tx: Tx, now: Date): Promise<Facts>;
  /** In whichever order; an id of another kind or company is left out. */
  rowsById(tx: Tx, ids: readonly string[]): Promise<Row[]>;
  /** The payment as it is sent over the wire. */
  shown(row: Row, facts: Facts): Shown;
  /** Conditions on a row of `transfers t`: by what a person searches among the payments of a batch … */
  heldInBatch(search: string, now: Date): RawBuilder<unknown>;
  /** … and among those of all batches, with its row of `batches b`. */
  heldOverAll(search: string, now: Date): RawBuilder<unknown>;
  ofBank(ispb: string): RawBuilder<unknown>;
  /** Which payments of a draft count as failed beside the wrong ones. */
  countsAsFailed: RawBuilder<unknown>;
}

export interface FoundPage {
  ids: string[];
  count: number;
}

/** Answers the payments in the order of the ids. */
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
