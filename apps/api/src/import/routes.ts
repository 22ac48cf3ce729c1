/** A sheet comes in, is kept, and is read in the background while the screen follows. */
import * as contracts from "@malote/contracts/import";
import { sheetBytesMax } from "@malote/domain/limits";
import { getDraft, growBatch, insertBatch } from "../batches/index.ts";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call, Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { writeToDraft } from "../transfers/index.ts";
import { modelSheet } from "./sheet/model-sheets.ts";
import { endingOf } from "./sheet/read-sheet.ts";
import { SheetRefusal } from "./sheet/refusal.ts";
import { findSheet, insertSheet, moveSheet, type SheetRecord } from "./store.ts";

const contentTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
};
const modelNames = {
  transfer: "Modelo de transferências",
  "transfer-pix": "Modelo de transferências com chave Pix",
  billet: "Modelo de boletos",
};
const fileNameMax = 255;
/** Payments written in one statement. */
const blockSize = 500;

export function importRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serveOutside(contracts.uploadSheet, (call) => upload(parts, call));
  serve(contracts.importSheet, (tx, call) =>
    "sheet_id" in call.body
      ? startImport(tx, parts, call, call.body.sheet_id)
      : importItems(tx, call, call.body),
  );
  serve(contracts.readSheet, async (tx, { params }) => sheetOf(await getSheet(tx, params.id)));
  serve(contracts.cancelSheet, async (tx, { params }) => {
    await moveSheet(tx, (await getSheet(tx, params.id)).id, ["uploaded", "reading"], "cancelled");
    return sheetOf(await getSheet(tx, params.id));
  });
  serveOutside(contracts.downloadModelSheet, async ({ params, query, reply }) => {
    const name = encodeURIComponent(`${modelNames[params.kind]}.${query.format}`);
    return reply
      .type(contentTypes[query.format])
      .header(
        "content-disposition",
        `attachment; filename="modelo.${query.format}"; filename*=UTF-8''${name}`,
      )
      .send(await modelSheet(params.kind, query.format));
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
});

/** The file goes to its place before anything is known of it; only what its name and size tell is checked here. */
async function upload(parts: Parts, call: Call<typeof contracts.uploadSheet>) {
  const { request, actor, now } = call;
  if (!request.isMultipart()) throw new AppError("unsupported_media_type");
  const part = await request.file();
  if (!part) throw new AppError("sheet_upload_failed");
  const named = part.fields["fileName"];
  const typed = named && !Array.isArray(named) && named.type === "field" ? String(named.value) : "";
  const fileName = plainName(typed || part.filename || "");
  try {
    endingOf(fileName);
  } catch (error) {
    // Nobody reads the rest, and an unread rest would keep the connection waiting.
    part.file.resume();
    if (error instanceof SheetRefusal) throw new AppError("sheet_wrong_ending");
    throw error;
  }

  const id = uuidv7(now.getTime());
  const fileKey = `sheets/${actor.companyId}/${id}`;
  const bytes = await parts.files.put(fileKey, part.file).catch((error: NodeJS.ErrnoException) => {
    // What fails in the disk names a system call; anything else is a request that broke off in the middle.
    throw error.syscall ? error : new AppError("sheet_upload_failed");
  });
  try {
    if (bytes === 0) throw new AppError("sheet_empty");
    if (part.file.truncated) {
      throw new AppError("sheet_too_large", { limit: `${Math.floor(sheetBytesMax / 1024 / 1024)} MB` });
    }
    return await parts.db.withCompany(actor.companyId, async (tx) => {
      await insertSheet(tx, {
        id,
        fileName,
        fileKey,
        bytes,
        userId: actor.kind === "user" ? actor.id : null,
        userName: actor.name,
        now,
      });
      await audit(tx, call, "sheet_uploaded", id, { bytes });
      return sheetOf(await getSheet(tx, id));
    });
  } catch (error) {
    // A file that no record names could never be asked for again.
    await parts.files.remove(fileKey);
    throw error;
  }
}

/** Only the last part of a path, in text that a database and a screen can hold. */
const plainName = (name: string) =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .replace(/^.*[\\/]/s, "")
    .trim()
    .slice(-fileNameMax);

/** Asked twice, it is read once. */
async function startImport(tx: Tx, parts: Parts, call: Call<typeof contracts.importSheet>, sheetId: string) {
  const sheet = await getSheet(tx, sheetId);
  if (sheet.state === "cancelled") throw new AppError("sheet_cancelled");
  await mayStartBatches(tx);
  if (await moveSheet(tx, sheet.id, ["uploaded"], "reading")) {
    await parts.jobs.enqueue(tx, "import-sheet", { companyId: tx.companyId, sheetId: sheet.id });
    await audit(tx, call, "sheet_import_started", sheet.id);
  }
  return sheetOf(await getSheet(tx, sheet.id));
}

/**
 * For API clients: the payments themselves instead of a file. The id may come from the caller, so that a request
 * repeated after a lost answer finds the batch it made.
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
      await growBatch(
        tx,
        id,
        await writeToDraft(tx, id, items.slice(start, start + blockSize), now),
        actor.id,
      );
    }
    await audit(tx, call, "items_imported", id, { payments: items.length });
  }
  return {
    id,
    file_name: name,
    state: "imported",
    kind: null,
    rows_read: items.length,
    rows_total: items.length,
    batch_id: id,
    refusal: null,
  };
}

async function mayStartBatches(tx: Tx): Promise<void> {
  if (!(await readCompany(tx)).acceptedContract) throw new AppError("contract_not_accepted");
}
