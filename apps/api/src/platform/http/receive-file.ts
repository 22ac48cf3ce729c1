/** A form with a file, of any sender: read piece by piece, and only up to its limits. */
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { AppError } from "../app-error.ts";
import { applyBackpressure } from "./backpressure.ts";

interface UploadRules {
  bytesMax: number;
  tooLarge: () => AppError;
  /** The form is none, lacks its file, or broke off. */
  broken: () => AppError;
}

interface ExpectedForm extends UploadRules {
  /** The form holds a second file: unclear which was intended. */
  tooMany: () => AppError;
  /** Throws for a name that cannot be. */
  expectName?: (fileName: string) => void;
  /** Keeps the content and answers its size. */
  put: (content: Readable) => Promise<number>;
}

interface TakenFile {
  fileName: string;
  bytes: number;
}

/** What a form says beside its file. */
interface TakenForm {
  fields: ReadonlyMap<string, string>;
  file: TakenFile | undefined;
}

const fileNameMax = 255;
/**
 * What a form adds to its file (boundaries, headings, the field with the name), and how much of it may be read ahead.
 */
const formBytesMax = 256 * 1024;

/** The second one is only begun, to be reported. */
const filesReadMax = 2;
/** Longer texts are cut here, which is far above what any form may say in one. */
const fieldBytesMax = 16 * 1024;

/** A first look: the reader of the form counts exactly, but only when it has made something of each part of a piece. */
const boundaryPattern = /boundary=(?:"([^"]+)"|([^\s;,]+))/i;
const partsMax = 16;

/** Said in advance, it need not be sent first. */
export const declaresTooLarge = ({ headers }: FastifyRequest, bytesMax: number): boolean =>
  Number(headers["content-length"]) > bytesMax + formBytesMax;

/** Exactly one file. */
export async function receiveFile(
  request: FastifyRequest,
  rules: Omit<ExpectedForm, "tooMany">,
): Promise<TakenFile> {
  const { file } = await receiveForm(request, { ...rules, tooMany: rules.broken });
  if (!file) throw rules.broken();
  return file;
}

/** A form with one file or none, read to its end. */
export async function receiveForm(
  request: FastifyRequest,
  { expectName = () => undefined, put, tooMany, ...rules }: ExpectedForm,
): Promise<TakenForm> {
  let bytesOfFile = () => 0;
  boundBody(request, rules, () => bytesOfFile());
  const fields = new Map<string, string>();
  let taken: TakenFile | undefined;
  try {
    const limits = { fileSize: rules.bytesMax, files: filesReadMax, fieldSize: fieldBytesMax };
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") {
        // A part that says it is JSON arrives as whatever it holds.
        if (typeof part.value === "string") fields.set(part.fieldname, part.value);
        continue;
      }
      if (taken) throw tooMany();
      bytesOfFile = () => part.file.bytesRead;
      const fileName = plainName(fields.get("fileName") || part.filename || "");
      expectName(fileName);
      const bytes = await put(part.file);
      if (part.file.truncated) throw rules.tooLarge();
      taken = { fileName, bytes };
    }
  } catch (error) {
    // What fails in the disk names a system call; anything else is a request that broke off or breaks the rules of forms.
    if (error instanceof AppError || (error as NodeJS.ErrnoException).syscall) throw error;
    throw rules.broken();
  }
  return { fields, file: taken };
}

/** Also what no limit of a form counts (what comes before and behind its parts, endless headings) comes to an end. */
function boundBody({ raw }: FastifyRequest, rules: UploadRules, bytesOfFile: () => number): void {
  const bodyBytesMax = rules.bytesMax + formBytesMax;
  const [, quoted, plain] = boundaryPattern.exec(raw.headers["content-type"] ?? "") ?? [];
  const between = `\r\n--${quoted ?? plain}`;
  let arrived = 0;
  let parts = 0;
  raw.on("data", function count(piece: Buffer) {
    // The pieces before this one are accounted for: the rest may be the file's, of whatever size its sender chose.
    const formBytes = arrived - bytesOfFile();
    arrived += piece.length;
    parts += partsIn(piece, between);
    if (parts <= partsMax && formBytes <= formBytesMax && arrived <= bodyBytesMax) {
      applyBackpressure(raw, piece);
      return;
    }
    raw.off("data", count);
    // The reader of the form still gets this piece, and would spend 50 ms on a thousand tiny parts.
    piece.fill(0);
    // The reader of the form listens for it, lets go of the file it was at, and ends with it.
    raw.emit("error", arrived > rules.bytesMax ? rules.tooLarge() : rules.broken());
  });
}

/** Counted only as far as needed. */
function partsIn(piece: Buffer, between: string): number {
  let parts = 0;
  let at = piece.indexOf(between);
  while (at >= 0 && parts <= partsMax) {
    parts++;
    at = piece.indexOf(between, at + between.length);
  }
  return parts;
}

/** Only the last part of a path, in text that a database and a screen can hold. */
const plainName = (name: string) =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .replace(/^.*[\\/]/s, "")
    .trim()
    .slice(-fileNameMax)
    // The cut may leave half of a surrogate pair.
    .toWellFormed();
