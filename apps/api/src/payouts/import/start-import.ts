/** Starts the import of a stored sheet, or creates a batch from the payments of a call. */
import { isDeepStrictEqual } from "node:util";
import type * as contracts from "@malote/contracts/import";
import { requireContractAccepted } from "../../company/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { removeUntouchedImport } from "../batches/edit.ts";
import { getDraft, getLockedBatch } from "../batches/locked-batch.ts";
import { applyContentChange, insertBatch } from "../batches/store.ts";
import { writeToDraft } from "../transfers/write.ts";
import { getSheet, sheetOf } from "./read-sheet.ts";
import { moveSheet, rereadSheet, type SheetRecord } from "./store.ts";

/** Payments per statement. */
const blockSize = 500;

/** Starts the import of a sheet. A repeated call is a no-op. */
export async function startImport(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.importSheet> | Call<typeof contracts.importBoletoSheet>,
  sheetId: string,
  columns?: readonly { column: number; field: contracts.SheetField | null }[],
) {
  const sheet = await getSheet(tx, sheetId);
  if (sheet.state === "cancelled") throw new AppError("sheet_cancelled");
  await requireContractAccepted(tx);
  if (columns) return readWithColumns(tx, services, call, sheet, columns);
  if (await moveSheet(tx, sheet.id, ["uploaded"], "reading")) {
    await services.jobs.enqueue(tx, "import-sheet", { companyId: tx.companyId, sheetId: sheet.id });
    await audit(tx, call, "sheet_import_started", sheet.id);
  }
  return sheetOf(await getSheet(tx, sheet.id));
}

/**
 * Reads a sheet with a person's choice of columns: on the first reading, after a refusal, or instead of its unchanged
 * draft.
 */
async function readWithColumns(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.importSheet> | Call<typeof contracts.importBoletoSheet>,
  sheet: SheetRecord,
  columns: readonly { column: number; field: contracts.SheetField | null }[],
) {
  const fields = columns.flatMap(({ field }) => field ?? []);
  if (new Set(fields).size < fields.length) throw new AppError("sheet_columns_twice");
  const choice = Object.fromEntries(columns.map(({ column, field }) => [column, field]));
  if (sheet.state === "reading") {
    // The same choice again is a no-op; a different one would be lost.
    if (!isDeepStrictEqual(sheet.choice, choice)) throw new AppError("sheet_being_read");
  } else {
    if (sheet.file_removed_at) throw new AppError("sheet_cancelled");
    if (sheet.batch_id && !(await removeUntouchedImport(tx, sheet.batch_id, call.now)))
      throw new AppError("sheet_already_used");
    if (await rereadSheet(tx, sheet.id, sheet.state, { choice, by: call.actor.id })) {
      await services.jobs.enqueue(tx, "import-sheet", { companyId: tx.companyId, sheetId: sheet.id });
      await audit(tx, call, "sheet_columns_chosen", sheet.id, { columns: choice, replaced: sheet.batch_id });
    }
  }
  return sheetOf(await getSheet(tx, sheet.id));
}

/**
 * Creates a batch from the payments in the body instead of a file, for API clients. The caller may choose the id, so
 * that a request repeated after a lost answer finds the batch of the first one.
 */
export async function importItems(
  tx: Tx,
  call: Call<typeof contracts.importSheet>,
  body: { id?: string | undefined; name: string; items: Parameters<typeof writeToDraft>[2][number][] },
): Promise<contracts.Sheet> {
  const { actor, now } = call;
  const { name, items } = body;
  await requireContractAccepted(tx);
  const id = body.id ?? uuidv7(now.getTime());
  const isNew = await insertBatch(tx, {
    id,
    name,
    type: "TRANSFER",
    createdBy: actor.kind === "user" ? actor.id : null,
    createdByName: actor.name,
    editorId: actor.id,
    now,
  });
  if (isNew) {
    await getDraft(tx, id, actor.profile);
    for (let start = 0; start < items.length; start += blockSize) {
      const block = items.slice(start, start + blockSize);
      await applyContentChange(tx, id, await writeToDraft(tx, id, block, actor, now), actor.id);
    }
    await audit(tx, call, "items_imported", id, { payments: items.length });
  }
  // The answer shows the stored batch, not the body: the id may belong to an older batch, or to a deleted one.
  const batch = await getLockedBatch(tx, id);
  if (batch.type !== "TRANSFER") throw new AppError("batch_wrong_type");
  return {
    id,
    file_name: batch.name,
    state: "imported",
    kind: null,
    rows_read: batch.payments_count,
    rows_total: batch.payments_count,
    batch_id: id,
    refusal: null,
    columns: null,
    columns_chosen_by: null,
    total: null,
    mistakes: [],
  };
}
