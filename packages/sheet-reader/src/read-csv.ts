import { isUtf8 } from "node:buffer";
import type { FileLimits } from "./limits.ts";
import { SheetFileError, tooManyLines, wrongFormat } from "./sheet-file-error.ts";
import type { CellKind, SheetRow, Tab } from "./sheet-row.ts";

/**
 * A custom scanner: one native `split` cuts a line without quotes, which is several times as fast as a general parser
 * that reads each character (csv-parse needs five times the processor time). Quoted fields are read character by
 * character.
 */
const separators = [";", ",", "\t"] as const;
const chunkBytes = 1024 * 1024;
const sampleCharacters = 64 * 1024;
const rowsPerBlock = 1_000;
/** Enough for an address or a note in one cell. */
const linesInCellMax = 50;

const allText: CellKind[] = [];

/** Rates how well the first rows fit when split by a separator; the caller may know headings, this file does not. */
export type RateRows = (rows: readonly SheetRow[]) => number;

const ratedRowsMax = 20;

/** Returns the number of first rows that are as wide as the first; a single column is not a table. */
export const rateByWidth: RateRows = (rows) => {
  const width = rows[0]?.texts.length ?? 0;
  return width < 2 ? 0 : rows.slice(0, ratedRowsMax).filter(({ texts }) => texts.length === width).length;
};

export function openCsv(bytes: Buffer, limits: FileLimits, rateRows: RateRows): Tab {
  if (countByte(bytes, lineFeed, limits.linesMax) > limits.linesMax) throw tooManyLines();
  const encoding = detectEncoding(bytes);
  const separator = detectSeparator(decodedPieces(bytes, encoding).next().value ?? "", limits, rateRows);
  return async function* () {
    yield* readRows(decodedPieces(bytes, encoding), separator, limits);
  };
}

const lineFeed = 0x0a;

/** Counts up to one past the maximum. */
function countByte(bytes: Buffer, byte: number, most: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0 && count <= most; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

interface Encoding {
  name: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  markBytes: number;
}

/** Detects the encoding: a byte order mark decides; without one, bytes that are not UTF-8 come from Windows. */
function detectEncoding(bytes: Buffer): Encoding {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { name: "utf-8", markBytes: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { name: "utf-16le", markBytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { name: "utf-16be", markBytes: 2 };
  // Text never contains NUL; UTF-16 without a mark and every binary file do.
  if (bytes.includes(0)) throw wrongFormat();
  return { name: isUtf8(bytes) ? "utf-8" : "windows-1252", markBytes: 0 };
}

function* decodedPieces(bytes: Buffer, { name, markBytes }: Encoding): Generator<string> {
  const decoder = new TextDecoder(name);
  let endsWithReturn = false;
  for (let at = markBytes; at < bytes.length; at += chunkBytes) {
    const isLast = at + chunkBytes >= bytes.length;
    let piece = decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: !isLast });
    // CRLF and a single CR both become LF here, even where a piece ends between the two.
    if (endsWithReturn && piece.startsWith("\n")) piece = piece.slice(1);
    endsWithReturn = piece.endsWith("\r");
    if (piece.includes("\r")) piece = piece.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    if (piece.includes("\0")) throw wrongFormat();
    yield piece;
  }
}

function detectSeparator(text: string, limits: FileLimits, rateRows: RateRows): string {
  // The added line end lets a file of headings only be rated; the last row may be cut, but the headings are far above
  // it.
  const sample = `${text.slice(0, sampleCharacters)}\n`;
  const rated = separators.map((separator) => {
    return { separator, rate: rateSample(sample, separator, limits, rateRows) };
  });
  return rated.reduce((best, other) => (other.rate > best.rate ? other : best)).separator;
}

/** Rates a sample. A wrong separator leaves quotes in wrong places, which only counts against that separator. */
function rateSample(sample: string, separator: string, limits: FileLimits, rateRows: RateRows): number {
  try {
    return rateRows(new CsvScanner(separator, limits).read(sample));
  } catch (error) {
    if (error instanceof SheetFileError) return 0;
    throw error;
  }
}

function* readRows(pieces: Iterable<string>, separator: string, limits: FileLimits): Generator<SheetRow[]> {
  const scanner = new CsvScanner(separator, limits);
  for (const piece of pieces) {
    const rows = scanner.read(piece);
    for (let at = 0; at < rows.length; at += rowsPerBlock) yield rows.slice(at, at + rowsPerBlock);
  }
  const last = scanner.finish();
  if (last.length > 0) yield last;
}

class CsvScanner {
  private readonly separator: string;
  private readonly limits: FileLimits;
  private pending = "";
  private lineNumber = 0;

  constructor(separator: string, limits: FileLimits) {
    this.separator = separator;
    this.limits = limits;
  }

  /** Returns the rows that end in this piece; the rest waits for the next one. */
  read(piece: string): SheetRow[] {
    const text = this.pending + piece;
    const next: NextSigns = {
      quote: new NextSign(text, '"'),
      lineEnd: new NextSign(text, "\n"),
      separator: new NextSign(text, this.separator),
    };
    const rows: SheetRow[] = [];
    let at = 0;
    for (;;) {
      const lineEnd = next.lineEnd.from(at);
      if (lineEnd === never) break;
      if (this.lineNumber > this.limits.linesMax) throw tooManyLines();
      if (lineEnd === at) {
        this.lineNumber++;
        at++;
        continue;
      }
      if (next.quote.from(at) > lineEnd) {
        this.push(rows, text.slice(at, lineEnd).split(this.separator), 1);
        at = lineEnd + 1;
        continue;
      }
      const quoted = readQuotedLine(text, at, next);
      if (quoted === undefined) break;
      this.push(rows, quoted.fields, quoted.lines);
      at = quoted.end + 1;
    }
    this.pending = text.slice(at);
    if (this.pending.length > this.limits.rowBytesMax) throw wrongFormat();
    return rows;
  }

  /**
   * Returns the last line, which often has no line end. Throws for a quote that never closes, because it has swallowed
   * rows.
   */
  finish(): SheetRow[] {
    if (this.pending === "") return [];
    const rows = this.read("\n");
    if (this.pending !== "") throw wrongFormat();
    return rows;
  }

  private push(rows: SheetRow[], texts: string[], lines: number): void {
    const sheetRow = this.lineNumber + 1;
    this.lineNumber += lines;
    if (texts.every((text) => text === "" || text.trim() === "")) return;
    if (texts.length > this.limits.columnsMax) texts.length = this.limits.columnsMax;
    rows.push({ sheetRow, hidden: false, texts, kinds: allText });
  }
}

const never = Number.POSITIVE_INFINITY;

/**
 * Finds the next occurrence of a sign and remembers it, so that a hostile file without the sign is not searched again
 * from every field.
 */
class NextSign {
  private readonly text: string;
  private readonly sign: string;
  private at = -1;

  constructor(text: string, sign: string) {
    this.text = text;
    this.sign = sign;
  }

  from(position: number): number {
    if (this.at < position) {
      const found = this.text.indexOf(this.sign, position);
      this.at = found < 0 ? never : found;
    }
    return this.at;
  }
}

interface NextSigns {
  quote: NextSign;
  lineEnd: NextSign;
  separator: NextSign;
}

/**
 * Reads a line with quotes. A quote opens a field only at its start; inside an unquoted field it is an ordinary
 * character (`Bar "do Zé"`). Returns undefined when the line continues in the next piece.
 */
function readQuotedLine(
  text: string,
  from: number,
  next: NextSigns,
): { fields: string[]; lines: number; end: number } | undefined {
  const fields: string[] = [];
  let lines = 1;
  let at = from;
  for (;;) {
    let field = "";
    if (text[at] === '"') {
      let partAt = at + 1;
      for (;;) {
        const closeAt = next.quote.from(partAt);
        if (closeAt === never) return undefined;
        field += text.slice(partAt, closeAt);
        partAt = closeAt + 1;
        if (text[partAt] !== '"') break;
        field += '"';
        partAt++;
      }
      const lineEnds = countLineEnds(field);
      // An unclosed quote would make the rows below it part of one text.
      if (lineEnds > linesInCellMax) throw wrongFormat();
      lines += lineEnds;
      at = partAt;
    }
    const lineEnd = next.lineEnd.from(at);
    if (lineEnd === never) return undefined;
    const fieldEnd = Math.min(next.separator.from(at), lineEnd);
    const isOpenMistake =
      lines > 1 && field !== "" && fieldEnd > at && text.slice(at, fieldEnd).trim() !== "";
    if (isOpenMistake) throw wrongFormat();
    fields.push(field + text.slice(at, fieldEnd));
    at = fieldEnd + 1;
    if (fieldEnd === lineEnd) return { fields, lines, end: lineEnd };
  }
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
