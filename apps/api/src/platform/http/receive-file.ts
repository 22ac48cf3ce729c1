/** Reads a form with a file from an untrusted sender, piece by piece and only up to its limits. */
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { AppError } from "../app-error.ts";
import { applyBackpressure } from "./backpressure.ts";

interface UploadRules {
  bytesMax: number;
  tooLarge: () => AppError;
  /** Error for a request that is no form, lacks its file or was aborted. */
  broken: () => AppError;
}

interface ExpectedForm extends UploadRules {
  /** Error for a form with a second file: it is unclear which one is intended. */
  tooMany: () => AppError;
  /** Throws for an invalid name. */
  requireName?: (fileName: string) => void;
  /** Stores the content and returns its size. */
  put: (content: Readable) => Promise<number>;
}

interface TakenFile {
  fileName: string;
  bytes: number;
}

/** Fields and file of a form. */
interface TakenForm {
  fields: ReadonlyMap<string, string>;
  file: TakenFile | undefined;
}

const fileNameMax = 255;
/**
 * Bytes that a form may add to its file (boundaries, headings, the name field), and how much of it may be read ahead.
 */
const formBytesMax = 256 * 1024;

/** The second file is opened only to report it. */
const filesReadMax = 2;
/** Maximum bytes of a field; longer texts are cut. No form needs as much. */
const fieldBytesMax = 16 * 1024;

/** Quick count of the parts of a piece: the form parser counts exactly, but only after it has processed each part. */
const boundaryPattern = /boundary=(?:"([^"]+)"|([^\s;,]+))/i;
const partsMax = 16;

/** Returns true when the declared length exceeds the limit, so that the body need not be read. */
export const declaresTooLarge = ({ headers }: FastifyRequest, bytesMax: number): boolean =>
  Number(headers["content-length"]) > bytesMax + formBytesMax;

/** Receives a form with exactly one file. */
export async function receiveFile(
  request: FastifyRequest,
  rules: Omit<ExpectedForm, "tooMany">,
): Promise<TakenFile> {
  const { file } = await receiveForm(request, { ...rules, tooMany: rules.broken });
  if (!file) throw rules.broken();
  return file;
}

/** Receives a form with at most one file, to its end. */
export async function receiveForm(
  request: FastifyRequest,
  { requireName = () => undefined, put, tooMany, ...rules }: ExpectedForm,
): Promise<TakenForm> {
  let bytesOfFile = () => 0;
  boundBody(request, rules, () => bytesOfFile());
  const fields = new Map<string, string>();
  let taken: TakenFile | undefined;
  try {
    const limits = { fileSize: rules.bytesMax, files: filesReadMax, fieldSize: fieldBytesMax };
    for await (const part of request.parts({ limits })) {
      if (part.type === "field") {
        // A part with a JSON content type arrives as its parsed value, which may be no text.
        if (typeof part.value === "string") fields.set(part.fieldname, part.value);
        continue;
      }
      if (taken) throw tooMany();
      bytesOfFile = () => part.file.bytesRead;
      const fileName = plainName(fields.get("fileName") || part.filename || "");
      requireName(fileName);
      const bytes = await put(part.file);
      if (part.file.truncated) throw rules.tooLarge();
      taken = { fileName, bytes };
    }
  } catch (error) {
    // Errors of the disk name a system call; any other error means that the request was aborted or is no valid form.
    if (error instanceof AppError || (error as NodeJS.ErrnoException).syscall) throw error;
    throw rules.broken();
  }
  return { fields, file: taken };
}

/**
 * Limits the whole body, including bytes that no limit of the form parser counts: text before and after the parts,
 * endless headings.
 */
function boundBody({ raw }: FastifyRequest, rules: UploadRules, bytesOfFile: () => number): void {
  const bodyBytesMax = rules.bytesMax + formBytesMax;
  const [, quoted, plain] = boundaryPattern.exec(raw.headers["content-type"] ?? "") ?? [];
  const between = `\r\n--${quoted ?? plain}`;
  let arrived = 0;
  let parts = 0;
  raw.on("data", function count(piece: Buffer) {
    // Only pieces before this one are accounted for; this piece may belong to the file, whose size the sender chooses.
    const formBytes = arrived - bytesOfFile();
    arrived += piece.length;
    parts += partsIn(piece, between);
    if (parts <= partsMax && formBytes <= formBytesMax && arrived <= bodyBytesMax) {
      applyBackpressure(raw, piece);
      return;
    }
    raw.off("data", count);
    // The form parser still receives this piece and would spend 50 ms on a thousand tiny parts.
    piece.fill(0);
    // The form parser listens for this error, releases its current file and ends.
    raw.emit("error", arrived > rules.bytesMax ? rules.tooLarge() : rules.broken());
  });
}

/** Counts the parts only up to the limit. */
function partsIn(piece: Buffer, between: string): number {
  let parts = 0;
  let at = piece.indexOf(between);
  while (at >= 0 && parts <= partsMax) {
    parts++;
    at = piece.indexOf(between, at + between.length);
  }
  return parts;
}

/** Returns the last part of a path as text that the database and screens can hold. */
const plainName = (name: string) =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .replace(/^.*[\\/]/s, "")
    .trim()
    .slice(-fileNameMax)
    // The cut may leave half of a surrogate pair.
    .toWellFormed();
