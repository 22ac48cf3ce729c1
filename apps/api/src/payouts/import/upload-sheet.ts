/** Upload of a sheet: the file is stored before it is read, and only its name and size are checked here. */
import type * as contracts from "@malote/contracts/import";
import { sheetBytesMax } from "@malote/domain/limits";
import { runWithinUploadLimit } from "../../company/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import { drainBody } from "../../platform/http/drain-body.ts";
import { declaresTooLarge, receiveFile } from "../../platform/http/receive-file.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { requireRoom } from "./quota.ts";
import { endingOf } from "./sheet/read-sheet.ts";
import { SheetRefusal } from "./sheet/refusal.ts";
import { insertSheet } from "./store.ts";

type UploadCall = Call<typeof contracts.uploadSheet> | Call<typeof contracts.importBoletoSheet>;

const broken = () => new AppError("sheet_upload_failed");
const tooLarge = () =>
  new AppError("sheet_too_large", { limit: `${Math.floor(sheetBytesMax / 1024 / 1024)} MB` });

/** Stores the uploaded file and returns the id of the sheet. */
export async function uploadSheet(services: Services, call: UploadCall): Promise<string> {
  const { request, reply, actor } = call;
  try {
    if (!request.isMultipart()) throw new AppError("unsupported_media_type");
    if (declaresTooLarge(request, sheetBytesMax)) throw tooLarge();
    return await runWithinUploadLimit(actor.companyId, async () => {
      await services.db.withCompany(actor.companyId, (tx) => requireRoom(tx, call.now));
      return receive(services, call);
    });
  } catch (error) {
    drainBody(request, reply);
    throw error;
  }
}

async function receive(services: Services, call: UploadCall): Promise<string> {
  const { request, actor, now } = call;
  const id = uuidv7(now.getTime());
  const fileKey = `sheets/${actor.companyId}/${id}`;
  try {
    const { fileName, bytes } = await receiveFile(request, {
      bytesMax: sheetBytesMax,
      tooLarge,
      broken,
      requireName: requireEnding,
      put: (content) => services.files.put(fileKey, content),
    });
    if (bytes === 0) throw new AppError("sheet_empty");
    await services.db.withCompany(actor.companyId, async (tx) => {
      // This check runs again under a lock, because the size is known only after the upload.
      await requireRoom(tx, now, bytes);
      await insertSheet(tx, {
        id,
        fileName,
        fileKey,
        bytes,
        userId: actor.kind === "user" ? actor.id : null,
        userName: actor.name,
        editorId: actor.id,
        now,
      });
      await audit(tx, call, "sheet_uploaded", id, { bytes });
    });
    return id;
  } catch (error) {
    // No call can reach a file without a record.
    await services.files.remove(fileKey);
    throw error;
  }
}

function requireEnding(fileName: string): void {
  try {
    endingOf(fileName);
  } catch (error) {
    if (error instanceof SheetRefusal) throw new AppError("sheet_wrong_ending");
    throw error;
  }
}
