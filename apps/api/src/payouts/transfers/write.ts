/** Writing payments of a draft. The caller holds the batch's row lock and adds the returned growth to the batch. */
import type { TransferInput } from "@malote/contracts/transfers";
import { withMarks } from "@malote/domain/data-marks";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { type DraftDelta, writeDraftPayments } from "../draft-payment-store.ts";
import { noCharges, type ReadCharges } from "../lookups/ask-codes.ts";
import { prepareDraftTransfer, readTransferFacts } from "./facts.ts";
import { marksAfterSave } from "./marks.ts";
import { codeFrom, draftFrom } from "./present.ts";
import {
  listMarkedTransfers,
  readCodes,
  recordOf,
  removeDraftTransfers,
  type TransferToWrite,
} from "./store.ts";

/**
 * Writes payments to a draft; the last one with the same id counts. Throws `not_found` for the whole call when an id
 * belongs to another batch, because that payment would otherwise be missing unnoticed.
 */
export async function writeToDraft(
  tx: Tx,
  batchId: string,
  inputs: readonly TransferInput[],
  by: Pick<Actor, "id" | "name">,
  now: Date,
  charges: ReadCharges = noCharges,
): Promise<DraftDelta & { written: number }> {
  if (inputs.length === 0) return { value: 0, payments: 0, errors: 0, written: 0 };
  const facts = await readTransferFacts(tx, now);
  // A change without a code keeps the stored one (TRF-002 sends none).
  const kept = await readCodes(
    tx,
    inputs.flatMap(({ id, emv }) => (id && emv === undefined ? id.toLowerCase() : [])),
  );
  const prepared = inputs.map((input) => {
    const code = kept.get(input.id?.toLowerCase() ?? "");
    return prepareDraftTransfer(
      input.id ?? uuidv7(now.getTime()),
      { ...draftFrom(input), ...(code ?? codeFrom(input.emv, charges)) },
      facts,
      now,
    );
  });
  const last = new Map<string, TransferToWrite>(
    prepared.map((transfer) => [transfer.id.toLowerCase(), transfer]),
  );
  for (const row of await listMarkedTransfers(tx, batchId, [...last.keys()])) {
    const transfer = last.get(row.id);
    if (!transfer) continue;
    const marks = marksAfterSave(row, transfer.draft, { by, now });
    last.set(row.id, { ...transfer, marks: withMarks(marks, transfer.marks ?? []) });
  }
  const grown = await writeDraftPayments(
    tx,
    { batchId, kind: "TRANSFER", now },
    [...last.values()].map(recordOf),
  );
  if (grown.written < last.size) throw new AppError("not_found");
  return grown;
}

export async function removeFromDraft(tx: Tx, batchId: string, ids: readonly string[]) {
  if (ids.length === 0) return { value: 0, payments: 0, errors: 0, removed: 0 };
  return removeDraftTransfers(tx, batchId, ids);
}
