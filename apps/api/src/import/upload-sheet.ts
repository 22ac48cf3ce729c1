/** The file goes to its place before anything is known of it; only what its name and size tell is checked here. */
import type { Readable } from "node:stream";
import type * as contracts from "@malote/contracts/import";
import { sheetBytesMax } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { onePieceATurn } from "../platform/http/one-piece-a-turn.ts";
import type { Call } from "../platform/http/serve.ts";
import { letTheRestGo } from "../platform/http/unread-body.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { expectRoom, oneOfFew } from "./quota.ts";
import { endingOf } from "./sheet/read-sheet.ts";
import { SheetRefusal } from "./sheet/refusal.ts";
import { insertSheet } from "./store.ts";

type UploadCall = Call<typeof contracts.uploadSheet> | Call<typeof contracts.importBilletSheet>;

const fileNameMax = 255;
/** What a form adds to its file (boundaries, headings, the field with the name), and what of it may be read ahead. */
const formBytesMax = 256 * 1024;

/** A first look: the reader of the form counts exactly, but only when it has made something of each part of a piece. */
const boundaryPattern = /boundary=(?:"([^"]+)"|([^\s;,]+))/i;
const partsMax = 16;

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
  const id = uuidv7(now.getTime());
  const fileKey = `sheets/${actor.companyId}/${id}`;
  try {
    const { fileName, bytes } = await takeFile(request, (content) => parts.files.put(fileKey, content));
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

/** Exactly one file, read to the end of the form: with a second one nobody could say which was meant. */
async function takeFile(
  request: UploadCall["request"],
  put: (content: Readable) => Promise<number>,
): Promise<{ fileName: string; bytes: number }> {
  let bytesOfFile = () => 0;
  boundBody(request, () => bytesOfFile());
  let typed = "";
  let taken: { fileName: string; bytes: number } | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === "field") {
        // A part that says it is JSON arrives as whatever it holds.
        if (part.fieldname === "fileName" && typeof part.value === "string") typed = part.value;
        continue;
      }
      if (taken) throw new AppError("sheet_upload_failed");
      bytesOfFile = () => part.file.bytesRead;
      const fileName = plainName(typed || part.filename || "");
      expectEnding(fileName);
      const bytes = await put(part.file);
      if (part.file.truncated) throw tooLarge();
      taken = { fileName, bytes };
    }
  } catch (error) {
    // What fails in the disk names a system call; anything else is a request that broke off or breaks the rules of forms.
    if (error instanceof AppError || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new AppError("sheet_upload_failed");
  }
  if (!taken) throw new AppError("sheet_upload_failed");
  if (taken.bytes === 0) throw new AppError("sheet_empty");
  return taken;
}

/** Also what no limit of a form counts (what stands before and behind its parts, endless headings) comes to an end. */
function boundBody({ raw }: UploadCall["request"], bytesOfFile: () => number): void {
  const [, quoted, plain] = boundaryPattern.exec(raw.headers["content-type"] ?? "") ?? [];
  const between = `\r\n--${quoted ?? plain}`;
  let arrived = 0;
  let parts = 0;
  raw.on("data", function count(piece: Buffer) {
    // Of the pieces before this one all is known: it may be the file's, and as large as whoever brings it likes.
    const aside = arrived - bytesOfFile();
    arrived += piece.length;
    parts += partsIn(piece, between);
    if (parts <= partsMax && aside <= formBytesMax && arrived <= sheetBytesMax + formBytesMax) {
      onePieceATurn(raw, piece);
      return;
    }
    raw.off("data", count);
    // The reader of the form still gets this piece, and would spend 50 ms on a thousand tiny parts.
    piece.fill(0);
    // The reader of the form listens for it, lets go of the file it was at, and ends with it.
    raw.emit("error", arrived > sheetBytesMax ? tooLarge() : new AppError("sheet_upload_failed"));
  });
}

/** Counted no further than anybody needs to know. */
function partsIn(piece: Buffer, between: string): number {
  let parts = 0;
  let at = piece.indexOf(between);
  while (at >= 0 && parts <= partsMax) {
    parts++;
    at = piece.indexOf(between, at + between.length);
  }
  return parts;
}

function expectEnding(fileName: string): void {
  try {
    endingOf(fileName);
  } catch (error) {
    if (error instanceof SheetRefusal) throw new AppError("sheet_wrong_ending");
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
