/** The file goes to its place before anything is known of it; only what its name and size tell is checked here. */
import type { uploadSheet as contract } from "@malote/contracts/import";
import { sheetBytesMax } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Call } from "../platform/http/serve.ts";
import { letTheRestGo } from "../platform/http/unread-body.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { expectRoom, oneOfFew } from "./quota.ts";
import { endingOf } from "./sheet/read-sheet.ts";
import { SheetRefusal } from "./sheet/refusal.ts";
import { insertSheet } from "./store.ts";

type UploadCall = Call<typeof contract>;

const fileNameMax = 255;
/** What a form adds to its file: boundaries, headings, the field with the name. */
const formBytesMax = 64 * 1024;

const tooLarge = () =>
  new AppError("sheet_too_large", { limit: `${Math.floor(sheetBytesMax / 1024 / 1024)} MB` });

/** Answers the id of the sheet. */
export async function uploadSheet(parts: Parts, call: UploadCall): Promise<string> {
  const { request, reply, actor } = call;
  try {
    if (!request.isMultipart()) throw new AppError("unsupported_media_type");
    // Said in advance, it need not be sent first.
    if (Number(request.headers["content-length"]) > sheetBytesMax + formBytesMax) throw tooLarge();
    return await oneOfFew(actor.companyId, async () => {
      await parts.db.withCompany(actor.companyId, (tx) => expectRoom(tx, call.now));
      return receive(parts, call);
    });
  } catch (error) {
    letTheRestGo(request, reply);
    throw error;
  }
}

async function receive(parts: Parts, call: UploadCall): Promise<string> {
  const { request, actor, now } = call;
  const part = await request.file();
  if (!part) throw new AppError("sheet_upload_failed");
  const named = part.fields["fileName"];
  // A part that says it is JSON arrives as whatever it holds.
  const typed =
    named && !Array.isArray(named) && named.type === "field" && typeof named.value === "string"
      ? named.value
      : "";
  const fileName = plainName(typed || part.filename || "");
  try {
    endingOf(fileName);
  } catch (error) {
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
    if (part.file.truncated) throw tooLarge();
    await parts.db.withCompany(actor.companyId, async (tx) => {
      // Asked again, now that its size is known and with nobody else beside.
      await expectRoom(tx, now, bytes);
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
    });
    return id;
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
    .slice(-fileNameMax)
    // The cut may leave half of a sign that takes two places.
    .toWellFormed();
