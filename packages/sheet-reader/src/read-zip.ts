import { crc32, createInflateRaw } from "node:zlib";
import type { FileLimits } from "./limits.ts";
import { encrypted, unsafe, wrongFormat } from "./sheet-file-error.ts";

/**
 * The subset of ZIP that a workbook needs, read from the central directory at the end of the file, which every
 * spreadsheet program trusts. It writes nothing to disk, so entry names can do no harm; sizes can, and are bounded as
 * declared and again as the bytes arrive. A library would add callbacks and a copy of each chunk for the same forty
 * lines.
 */
export interface ZipEntry {
  name: string;
  compressedBytes: number;
  bytes: number;
  crc: number;
  method: number;
  flags: number;
  headerAt: number;
}

export interface ZipFile {
  bytes: Buffer;
  entries: Map<string, ZipEntry>;
}

const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const centralBytes = 46;
const localBytes = 30;
const stored = 0;
const deflated = 8;
/** Programs, which Excel itself refuses in an xlsx, and names that leave their folder. */
const neverInAWorkbook = /(^|\/)(vbaproject\.bin|vbadata\.xml|\.\.)(\/|$)/;
const encryptedFlag = 1;
const zip64Marker = 0xffffffff;

/** Large enough that a sheet of 50 MB takes some two hundred steps, small enough to stay in the processor's cache. */
const chunkBytes = 256 * 1024;

export function openZip(bytes: Buffer, limits: FileLimits): ZipFile {
  // A workbook begins with its first part. One that begins differently is two files in one, and a person who opens the
  // other one does not see the content read here.
  if (bytes.length < endBytes || bytes.readUInt32LE(0) !== localSignature) throw wrongFormat();
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > limits.zipEntriesMax) throw unsafe();

  const entries = new Map<string, ZipEntry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + centralBytes > end || bytes.readUInt32LE(at) !== centralSignature) throw wrongFormat();
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const commentBytes = bytes.readUInt16LE(at + 32);
    const nextAt = at + centralBytes + nameBytes + extraBytes + commentBytes;
    if (nextAt > end) throw wrongFormat();
    // Some programs write backslashes, and Office finds parts whatever their case.
    const name = bytes
      .toString("utf8", at + centralBytes, at + centralBytes + nameBytes)
      .replaceAll("\\", "/")
      .toLowerCase();
    // Programs disagree about two parts of one name, but the content read here must be the content that people see.
    if (entries.has(name) || neverInAWorkbook.test(name)) throw unsafe();
    const entry: ZipEntry = {
      name,
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      compressedBytes: bytes.readUInt32LE(at + 20),
      bytes: bytes.readUInt32LE(at + 24),
      headerAt: bytes.readUInt32LE(at + 42),
    };
    readZip64(
      entry,
      bytes.subarray(at + centralBytes + nameBytes, at + centralBytes + nameBytes + extraBytes),
    );
    entries.set(name, entry);
    at = nextAt;
  }
  refuseOverlaps([...entries.values()]);
  return { bytes, entries };
}

/**
 * Refuses parts that share bytes, which make a small file huge: thousands of them inflate the same kernel repeatedly.
 */
function refuseOverlaps(entries: ZipEntry[]): void {
  const inOrder = entries.sort((one, other) => one.headerAt - other.headerAt);
  for (const [index, entry] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (next && entry.headerAt + localBytes + entry.compressedBytes > next.headerAt) throw unsafe();
  }
}

function findEnd(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.length - endBytes - 0xffff);
  for (let at = bytes.length - endBytes; at >= lowest; at--) {
    if (bytes.readUInt32LE(at) === endSignature) return at;
  }
  throw wrongFormat();
}

/** Reads the zip64 field, into which programs that stream may write the true sizes although they are small. */
function readZip64(entry: ZipEntry, extra: Buffer): void {
  if (entry.bytes !== zip64Marker && entry.compressedBytes !== zip64Marker && entry.headerAt !== zip64Marker)
    return;
  for (let at = 0; at + 4 <= extra.length; ) {
    const size = extra.readUInt16LE(at + 2);
    const end = at + 4 + size;
    if (end > extra.length) break;
    if (extra.readUInt16LE(at) === 1) {
      let valueAt = at + 4;
      for (const field of ["bytes", "compressedBytes", "headerAt"] as const) {
        if (entry[field] !== zip64Marker) continue;
        if (valueAt + 8 > end) throw wrongFormat();
        entry[field] = Number(extra.readBigUInt64LE(valueAt));
        valueAt += 8;
      }
      return;
    }
    at = end;
  }
  throw wrongFormat();
}

/** Returns the compressed part; refuses it by its declared values before a byte is inflated. */
function compressedPart(zip: ZipFile, entry: ZipEntry, bytesMax: number, limits: FileLimits): Buffer {
  if (entry.flags & encryptedFlag) throw encrypted();
  if (entry.bytes > bytesMax) throw unsafe();
  const large = entry.bytes > limits.inflateRatioFromBytes;
  if (large && entry.bytes > entry.compressedBytes * limits.inflateRatioMax) throw unsafe();

  const { bytes } = zip;
  const at = entry.headerAt;
  if (at + localBytes > bytes.length || bytes.readUInt32LE(at) !== localSignature) throw wrongFormat();
  const from = at + localBytes + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  if (from + entry.compressedBytes > bytes.length) throw wrongFormat();
  if (entry.method !== stored && entry.method !== deflated) throw wrongFormat();
  return bytes.subarray(from, from + entry.compressedBytes);
}

/** Yields the part in pieces. Throws for a part whose length or checksum differs from the declared one. */
export async function* streamPart(
  zip: ZipFile,
  entry: ZipEntry,
  bytesMax: number,
  limits: FileLimits,
): AsyncGenerator<Buffer> {
  const compressed = compressedPart(zip, entry, bytesMax, limits);
  let seenBytes = 0;
  let crc = 0;
  for await (const chunk of entry.method === stored ? pieces(compressed) : inflate(compressed)) {
    seenBytes += chunk.length;
    if (seenBytes > entry.bytes) throw unsafe();
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (seenBytes !== entry.bytes) throw unsafe();
  if (crc !== entry.crc) throw wrongFormat();
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function* inflate(compressed: Buffer): AsyncGenerator<Buffer> {
  const stream = createInflateRaw({ chunkSize: chunkBytes });
  stream.end(compressed);
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    // zlib's own errors mean a damaged file; any other error is a defect of ours and must be visible.
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) throw wrongFormat();
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Returns a whole part in one buffer of its declared size, so that a lying part cannot make it grow. */
export async function readPart(
  zip: ZipFile,
  entry: ZipEntry,
  bytesMax: number,
  limits: FileLimits,
): Promise<Buffer> {
  if (entry.bytes > bytesMax) throw unsafe();
  const whole = Buffer.allocUnsafe(entry.bytes);
  let at = 0;
  for await (const chunk of streamPart(zip, entry, bytesMax, limits)) {
    at += chunk.copy(whole, at);
  }
  return whole;
}
