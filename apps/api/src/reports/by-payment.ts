/** Expands the entry of a batch in a statement into one line for each payment, with the balance after it. */
import { slicesAfter } from "../exports/index.ts";
import { listPayees, type PayeeRow, readBatchValues } from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { type NumberedEntry, payeeComplement } from "../statement/index.ts";

type Read = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** Returns the batch whose whole money an entry moves: out when it closes, back when it is cancelled. */
const batchOf = ({ type, complement }: NumberedEntry): string | undefined =>
  (type === "BATCH" || type === "REFUND") && !complement.transfer_id ? complement.batch_id : undefined;

export async function* linesByPayment(
  read: Read,
  slices: AsyncIterable<readonly NumberedEntry[]>,
  size: number,
): AsyncGenerator<readonly NumberedEntry[]> {
  for await (const slice of slices) {
    const values = await read((tx) =>
      readBatchValues(
        tx,
        slice.flatMap((entry) => batchOf(entry) ?? []),
      ),
    );
    let plain: NumberedEntry[] = [];
    for (const entry of slice) {
      const batchId = batchOf(entry);
      // The lines of the payments replace the batch's only where they sum to it.
      if (batchId === undefined || values.get(batchId) !== Math.abs(entry.value)) {
        plain.push(entry);
        continue;
      }
      yield plain;
      plain = [];
      yield* splitByPayment(entry, (last) => read((tx) => listPayees(tx, batchId, last, size)));
    }
    yield plain;
  }
}

async function* splitByPayment(
  entry: NumberedEntry,
  readAfter: (last: PayeeRow | undefined) => Promise<PayeeRow[]>,
): AsyncGenerator<NumberedEntry[]> {
  const sign = Math.sign(entry.value);
  let balance = entry.balance - entry.value;
  for await (const payments of slicesAfter(readAfter))
    yield payments.map((payment) => {
      const value = sign * payment.value;
      balance += value;
      return lineOf(entry, payment, { value, balance });
    });
}

/**
 * Uses the id of the payment, which is unique among entries. The second line of a payment, from a cancelled batch, has a
 * suffix.
 */
const lineOf = (
  entry: NumberedEntry,
  payment: PayeeRow,
  amounts: { value: number; balance: number },
): NumberedEntry => ({
  ...entry,
  ...amounts,
  id: entry.type === "BATCH" ? payment.id : `${payment.id}-cancelado`,
  description: [entry.description, payment.name && payment.description].filter(Boolean).join(" · "),
  complement: {
    ...entry.complement,
    ...payeeComplement(payment),
    transfer_id: payment.id,
    ...(payment.end_to_end_id && { end_to_end_id: payment.end_to_end_id }),
  },
});
