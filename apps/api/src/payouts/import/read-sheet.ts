/** Reads a stored sheet as the screen shows it, and cancels its import. */
import type * as contracts from "@malote/contracts/import";
import { issueSheetText } from "@malote/domain/issues";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import { listWrongBoletos } from "../boletos/read.ts";
import type { Mistake } from "./import-process.ts";
import { mostFrequent } from "./import-sheet.ts";
import { findSheet, moveSheet, type SheetRecord } from "./store.ts";

export async function getSheet(tx: Tx, id: string): Promise<SheetRecord> {
  const sheet = await findSheet(tx, id);
  if (!sheet) throw new AppError("not_found");
  return sheet;
}

export const sheetOf = (sheet: SheetRecord): contracts.Sheet => ({
  id: sheet.id,
  file_name: sheet.file_name,
  state: sheet.state,
  kind: sheet.kind,
  rows_read: sheet.rows_read,
  rows_total: sheet.rows_total,
  batch_id: sheet.batch_id,
  refusal: sheet.refusal,
  columns: sheet.layout?.columns ?? null,
  columns_chosen_by: sheet.choice_by_name,
  total: sheet.total,
  mistakes: sheet.mistakes ?? [],
});

export async function readSheet(tx: Tx, { params, now }: Call<typeof contracts.readSheet>) {
  const sheet = await getSheet(tx, params.id);
  return { ...sheetOf(sheet), mistakes: await readMistakesNow(tx, sheet, now) };
}

/**
 * Recomputes the mistakes of a boleto sheet as the draft counts them, because the register or the date may have changed
 * them.
 */
async function readMistakesNow(tx: Tx, sheet: SheetRecord, now: Date): Promise<Mistake[]> {
  if (sheet.kind !== "billet" || sheet.batch_id === null) return sheet.mistakes ?? [];
  const counts = new Map<string, number>();
  for (const { errors } of await listWrongBoletos(tx, sheet.batch_id, now))
    for (const text of new Set(errors.map((issue) => issueSheetText(issue, false))))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  return mostFrequent([...counts].map(([text, count]) => ({ text, count })));
}

export async function cancelSheet(tx: Tx, call: Call<typeof contracts.cancelSheet>) {
  const { id } = await getSheet(tx, call.params.id);
  if (await moveSheet(tx, id, ["uploaded", "reading"], "cancelled"))
    await audit(tx, call, "sheet_cancelled", id);
  return sheetOf(await getSheet(tx, id));
}
