/**
 * Job that turns a stored sheet into a draft in one transaction. A kill leaves no trace and the job starts again; a
 * cancellation rolls the whole transaction back.
 */
import { pipeline } from "node:stream/promises";
import { errorText } from "@malote/contracts/errors";
import { areGenericHeadings } from "@malote/domain/generic-headings";
import { batchNameMax } from "@malote/domain/limits";
import { listBlockedTaxIds } from "../../company/index.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ProcessFailed } from "../../platform/low-priority-process.ts";
import type { Services } from "../../platform/services.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { insertImportedBatch, saveImportedTotals } from "../batches/store.ts";
import { addImportedPayments } from "../draft-payment-store.ts";
import { readTransferFacts } from "../transfers/facts.ts";
import { paymentKindOf } from "./copy-lines.ts";
import { type ImportInput, type Mistake, readInProcess } from "./import-process.ts";
import { SheetRefusal } from "./sheet/refusal.ts";
import type { SheetLayout } from "./sheet/sheet-layout.ts";
import {
  choiceOf,
  copyImportRows,
  createImportTable,
  findSheet,
  listRememberedChoices,
  markImported,
  moveSheet,
  rememberChoice,
  type SheetRecord,
  saveProgress,
  saveRefusal,
} from "./store.ts";

/** Milliseconds between two reports of the rows read so far to the waiting page. */
const progressEveryMs = 200;

/** Maximum number of different mistakes that the answer lists. */
const mistakesMax = 20;
export const mostFrequent = (mistakes: readonly Mistake[]): Mistake[] =>
  mistakes.toSorted((left, right) => right.count - left.count).slice(0, mistakesMax);

class Cancelled extends Error {}

export async function importSheet(
  services: Services,
  { companyId, sheetId }: { companyId: string; sheetId: string },
): Promise<void> {
  const sheet = await services.db.withCompany(companyId, async (tx) => {
    // A killed worker leaves the sheet in `reading`.
    const isMine = await moveSheet(tx, sheetId, ["uploaded", "reading"], "reading");
    return isMine ? findSheet(tx, sheetId) : undefined;
  });
  if (!sheet) return;
  const cancelling = new AbortController();
  const progress = reportProgress(services, companyId, sheet.id, () => cancelling.abort(new Cancelled()));
  try {
    await services.db.withCompany(companyId, (tx) =>
      readIntoDraft(tx, services, sheet, progress.note, cancelling.signal),
    );
  } catch (error) {
    const refusal = sheetRefusalOf(error);
    if (refusal?.code === "sheet_import_failed")
      services.log.error({ err: error, sheet: sheet.id }, "cannot import a sheet");
    const layout = error instanceof SheetRefusal ? error.layout : undefined;
    if (refusal) await services.db.withCompany(companyId, (tx) => saveRefusal(tx, sheet.id, refusal, layout));
    else if (!cancelling.signal.aborted && !(error instanceof Cancelled)) throw error;
  } finally {
    await progress.stop();
  }
}

function sheetRefusalOf(error: unknown): SheetRecord["refusal"] {
  if (error instanceof SheetRefusal) {
    const data = error.missingHeadings.length > 0 ? { missing: [...error.missingHeadings] } : null;
    return { code: error.code, data, message: error.message };
  }
  if (error instanceof AppError)
    return { code: error.code, data: error.data, message: errorText(error.code, error.data) };
  if (isPermanentFailure(error)) {
    return { code: "sheet_import_failed", data: null, message: errorText("sheet_import_failed") };
  }
  return null;
}

/**
 * Returns true when every retry of the file would fail the same way: invalid data (SQLSTATE classes 22 and 23) or a bug
 * in the import process (IMP-025).
 */
const isPermanentFailure = (error: unknown) =>
  error instanceof ProcessFailed || /^2[23]/.test((error as { code?: string }).code ?? "");

/** Reports the progress in transactions beside the one that reads, and detects a cancellation that way. */
function reportProgress(services: Services, companyId: string, sheetId: string, onCancel: () => void) {
  let rowsRead = 0;
  let saved = -1;
  let saving: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    if (rowsRead === saved) return;
    saved = rowsRead;
    saving = services.db
      .withCompany(companyId, (tx) => saveProgress(tx, sheetId, rowsRead))
      .then((goesOn) => (goesOn ? undefined : onCancel()))
      // The next report replaces a number that could not be saved.
      .catch(() => undefined);
  }, progressEveryMs);
  return {
    note(rows: number) {
      rowsRead = rows;
    },
    async stop() {
      clearInterval(timer);
      await saving;
    },
  };
}

async function readIntoDraft(
  tx: Tx,
  services: Services,
  sheet: SheetRecord,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const now = services.clock.now();
  const facts = await readTransferFacts(tx, now);
  const remembered = await listRememberedChoices(tx);
  const input: ImportInput = {
    path: services.files.pathOf(sheet.file_key),
    fileName: sheet.file_name,
    now: now.getTime(),
    hints: {
      chosen: sheet.choice ?? undefined,
      remembered: Object.fromEntries([...remembered].map(([key, { columns }]) => [key, columns])),
    },
    facts: {
      today: facts.today,
      now: facts.now,
      maxCents: facts.maxCents,
      boletoMaxCents: facts.boletoMaxCents,
      blocked: [...(await listBlockedTaxIds(tx))],
      publicEntityNeedsCaixa: facts.publicEntityNeedsCaixa,
      correctsKnownErrors: facts.correctsKnownErrors,
    },
  };
  const batchId = uuidv7(now.getTime());
  let layout: SheetLayout | undefined;
  // A choice of columns decides who is paid and how much, so its author counts as a preparer.
  const chooser = ({ key }: SheetLayout) =>
    sheet.choice ? (sheet.choice_by ?? sheet.editor_id) : (remembered.get(key)?.chosen_by ?? null);
  for await (const message of readInProcess(input, signal)) {
    if (message.kind === "headings") {
      layout = message.layout;
      await createImportTable(tx, paymentKindOf(layout.kind));
      await insertImportedBatch(tx, {
        id: batchId,
        name: nameOf(sheet.file_name),
        type: paymentKindOf(layout.kind),
        createdBy: sheet.uploaded_by,
        createdByName: sheet.uploaded_by_name,
        editorIds: [...new Set([sheet.editor_id, chooser(layout) ?? sheet.editor_id])],
        now,
        sheetId: sheet.id,
        fileName: sheet.file_name,
      });
    } else if (message.kind === "lines") {
      // The database writes one block while the import process reads the next.
      if (!layout) throw new Error("the import process sent rows without headings");
      await pipeline([message.lines], copyImportRows(tx));
      await addImportedPayments(tx, { batchId, kind: paymentKindOf(layout.kind), now });
      onRows(message.rowsRead);
    } else if (message.kind === "end") {
      if (!layout) throw new Error("the import process ended without headings");
      const { totals, total, mistakes } = message;
      layout = message.layout;
      await saveImportedTotals(tx, batchId, totals);
      const isMarked = await markImported(tx, sheet.id, {
        layout,
        rows: totals.payments,
        batchId,
        total: total && { sheet_row: total.sheetRow, stated: total.stated, sum: totals.value },
        mistakes: mostFrequent(mistakes),
        choiceBy: chooser(layout),
      });
      if (!isMarked) throw new Cancelled();
      // A choice is remembered only after the sheet was readable with it, and where its headings say what it is for.
      if (sheet.choice && !areGenericHeadings(layout.columns.map(({ heading }) => heading)))
        await rememberChoice(tx, {
          key: layout.key,
          columns: choiceOf(layout),
          by: sheet.choice_by ?? sheet.editor_id,
          now,
        });
      await services.jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId });
      return;
    }
  }
  throw new Error("the import process ended without totals");
}

const nameOf = (fileName: string) =>
  fileName
    .replace(/\.[^.]*$/, "")
    .trim()
    .slice(0, batchNameMax) || "Planilha importada";
