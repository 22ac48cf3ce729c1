import { post } from "../../ledger/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { BatchRow } from "./store.ts";

/** Reserves the batch's money in the ledger, once per closing. Returns false when the balance does not suffice. */
export const reserve = (
  tx: Tx,
  batch: Pick<BatchRow, "id" | "name" | "value">,
  closing: number,
  now: Date,
): Promise<boolean> =>
  post(tx, now, [
    {
      type: "BATCH",
      cause: `close:${batch.id}:${closing}`,
      from: "available",
      to: "reserved",
      amount: batch.value,
      description: `Lote ${batch.name}`,
      complement: { batch_id: batch.id },
    },
  ]);
