/** Upload and storage of a sheet, and its import in the background while the screen shows the progress. */
import { isDeepStrictEqual } from "node:util";
import * as batchIssues from "@malote/contracts/batch-issues";
import * as contracts from "@malote/contracts/import";
import { issueSheetText } from "@malote/domain/issues";
import { readCompany } from "../../company/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type Feature, usualPauseMs } from "../../platform/feature.ts";
import { fileTypes } from "../../platform/files/file-types.ts";
import { sendFile } from "../../platform/http/send-file.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { removeUntouchedImport } from "../batches/edit.ts";
import { getDraft, getLockedBatch } from "../batches/locked-batch.ts";
import { applyContentChange, insertBatch } from "../batches/store.ts";
import { listWrongBoletos } from "../boletos/read.ts";
import { writeToDraft } from "../transfers/write.ts";
import { downloadBadRows } from "./bad-rows.ts";
import type { Mistake } from "./import-process.ts";
import { importSheet, mostFrequent } from "./import-sheet.ts";
import { importOverdueSheets } from "./overdue.ts";
import { writeModelSheet } from "./sheet/model-sheets.ts";
import { findSheet, moveSheet, rereadSheet, type SheetRecord } from "./store.ts";
import { tidySheets } from "./tidy-sheets.ts";
import { uploadSheet } from "./upload-sheet.ts";

const modelNames = {
  transfer: "Modelo de transferências",
  "transfer-pix": "Modelo de transferências com chave Pix",
  billet: "Modelo de boletos",
};
/** Payments per statement. */
const blockSize = 500;

export function importRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serveOutside(contracts.uploadSheet, { queue: "none" }, async (call) => {
    const id = await uploadSheet(services, call);
    return services.db.withCompany(call.actor.companyId, async (tx) => sheetOf(await getSheet(tx, id)));
  });
  serveOutside(contracts.importBilletSheet, { queue: "none" }, async (call) => {
    const id = await uploadSheet(services, call);
    return services.db.withCompany(call.actor.companyId, (tx) => startImport(tx, services, call, id));
  });
  serve(contracts.importSheet, (tx, call) =>
    "sheet_id" in call.body
      ? startImport(tx, services, call, call.body.sheet_id, call.body.columns)
      : importItems(tx, call, call.body),
  );
  serve(contracts.readSheet, async (tx, { params, now }) => {
    const sheet = await getSheet(tx, params.id);
    return { ...sheetOf(sheet), mistakes: await readMistakesNow(tx, sheet, now) };
  });
  serve(contracts.cancelSheet, async (tx, call) => {
    const { id } = await getSheet(tx, call.params.id);
    if (await moveSheet(tx, id, ["uploaded", "reading"], "cancelled"))
      await audit(tx, call, "sheet_cancelled", id);
    return sheetOf(await getSheet(tx, id));
  });
  serveOutside(batchIssues.downloadBadRows, { queue: "none" }, (call) => downloadBadRows(services, call));
  serveOutside(contracts.downloadModelSheet, { queue: "none" }, async ({ params, query, reply }) => {
    const content = await writeModelSheet(params.kind, query.format);
    const name = `${modelNames[params.kind]}.${query.format}`;
    return sendFile(reply, { name, type: fileTypes[query.format], content });
  });
}

async function getSheet(tx: Tx, id: string): Promise<SheetRecord> {
  const sheet = await findSheet(tx, id);
  if (!sheet) throw new AppError("not_found");
  return sheet;
}

const sheetOf = (sheet: SheetRecord): contracts.Sheet => ({
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

/** Starts the import of a sheet. A repeated call is a no-op. */
async function startImport(
  tx: Tx,
  services: Services,
  call: Call<typeof contracts.importSheet> | Call<typeof contracts.importBilletSheet>,
  sheetId: string,
  columns?: readonly { column: number; field: contracts.SheetField | null }[],
) {
  const sheet = await getSheet(tx, sheetId);
  if (sheet.state === "cancelled") throw new AppError("sheet_cancelled");
  await mayStartBatches(tx);
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
  call: Call<typeof contracts.importSheet> | Call<typeof contracts.importBilletSheet>,
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
async function importItems(
  tx: Tx,
  call: Call<typeof contracts.importSheet>,
  body: { id?: string | undefined; name: string; items: Parameters<typeof writeToDraft>[2][number][] },
): Promise<contracts.Sheet> {
  const { actor, now } = call;
  const { name, items } = body;
  await mayStartBatches(tx);
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

async function mayStartBatches(tx: Tx): Promise<void> {
  if (!(await readCompany(tx)).acceptedContract) throw new AppError("contract_not_accepted");
}

declare module "../../platform/jobs/jobs.ts" {
  interface JobData {
    "import-sheet": { companyId: string; sheetId: string };
  }
}

export const importFeature: Feature = {
  routes: importRoutes,
  jobs: {
    // A process that dies with the job consumes a try; three restarts in a row must not leave a sheet unread forever.
    "import-sheet": { concurrencyMax: 1, tries: 50, retryDelaySecondsMax: 2, run: importSheet },
  },
  schedules: [{ name: "reading sheets whose job was lost", everyMs: usualPauseMs, run: importOverdueSheets }],
  tidy: tidySheets,
};
