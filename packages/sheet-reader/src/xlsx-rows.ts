/** Reads the rows of a worksheet as bytes. */
import type { CellTexts } from "./cell-texts.ts";
import { wrongFormat } from "./sheet-file-error.ts";
import { type CellKind, cellKind, type SheetRow } from "./sheet-row.ts";
import { readColumn, readInteger, readQuoted } from "./xlsx-attributes.ts";
import { dateOfIso, dateOfSerial } from "./xlsx-dates.ts";
import type { Workbook } from "./xlsx-workbook.ts";
import { byte, XmlCursor } from "./xml-cursor.ts";

export interface CellContext {
  strings: string[];
  workbook: Workbook;
  cellTexts: CellTexts;
  columnsMax: number;
}

const letter = {
  b: 98,
  c: 99,
  d: 100,
  e: 101,
  f: 102,
  h: 104,
  i: 105,
  n: 110,
  r: 114,
  s: 115,
  t: 116,
  v: 118,
} as const;
const one = 49;
const nine = 57;

/** Attributes of a cell; one object is reused for all cells. */
interface CellHead {
  column: number;
  style: number;
  typeLetter: number;
  typeLength: number;
}

export class RowScanner {
  readonly rowStart: string;
  readonly rowsEnd: string;
  /** True once the end of the rows has been read. */
  isOver = false;
  private readonly cells: CellContext;
  private readonly prefixLength: number;
  private rowNumber = 0;
  private readonly head: CellHead = { column: -1, style: 0, typeLetter: 0, typeLength: 0 };

  constructor(prefix: string, cells: CellContext) {
    this.rowStart = `<${prefix}row`;
    this.rowsEnd = `</${prefix}sheetData>`;
    this.prefixLength = prefix.length;
    this.cells = cells;
  }

  /** Returns all rows of a piece that holds whole rows. Rows without content are omitted. */
  readRows(piece: Buffer): SheetRow[] {
    const cursor = new XmlCursor(piece, this.prefixLength);
    const { bytes, end } = cursor;
    const rows: SheetRow[] = [];
    while (!this.isOver) {
      while (cursor.at < end && bytes[cursor.at] !== byte.less) cursor.at++;
      if (cursor.at >= end) return rows;
      const nameAt = cursor.at + 1 + this.prefixLength;
      if (bytes[cursor.at + 1] === byte.exclamation) {
        cursor.readMarkup();
      } else if (bytes[nameAt] === letter.r && bytes[nameAt + 1] === 111 /* o */) {
        cursor.at = nameAt + 3;
        const row = this.readRow(cursor);
        if (row !== undefined) rows.push(row);
      } else {
        this.isOver = isSheetDataEnd(cursor, nameAt);
        cursor.skipTag();
      }
    }
    return rows;
  }

  private readRow(cursor: XmlCursor): SheetRow | undefined {
    const { bytes } = cursor;
    const row: SheetRow = { sheetRow: ++this.rowNumber, hidden: false, texts: [], kinds: [] };
    if (this.readRowHead(cursor, row)) return undefined;
    let hasContent = false;
    for (;;) {
      if (this.prefixLength === 0 && this.readUsualCells(cursor, row)) hasContent = true;
      const less = cursor.find(byte.less);
      const next = bytes[less + 1];
      if (next === byte.exclamation) {
        cursor.readMarkup();
      } else if (next === byte.slash) {
        const closesRow = bytes[less + 2 + this.prefixLength] === letter.r;
        cursor.skipTag();
        if (closesRow) return hasContent ? row : undefined;
      } else if (cursor.isName(less + 1, letter.c)) {
        cursor.at = less + 2 + this.prefixLength;
        if (this.readCell(cursor, row)) hasContent = true;
      } else {
        cursor.skipTag();
      }
    }
  }

  /**
   * Reads a run of cells like `<c r="B7" s="3" t="s"><v>12</v></c>`, which are nearly all cells of nearly all files, in
   * one loop over local variables. This is four times as fast as the general way, which reads the first other cell.
   */
  private readUsualCells(cursor: XmlCursor, row: SheetRow): boolean {
    const { bytes, end } = cursor;
    const { strings, columnsMax } = this.cells;
    const { dateStyles } = this.cells.workbook;
    const { texts, kinds } = row;
    let hasContent = false;
    let cellAt = cursor.at;
    while (
      cellAt + 20 < end &&
      bytes[cellAt] === byte.less &&
      bytes[cellAt + 1] === letter.c &&
      bytes[cellAt + 3] === letter.r &&
      bytes[cellAt + 5] === byte.quote
    ) {
      let at = cellAt + 6;
      let column = 0;
      let current = bytes[at] as number;
      while (current >= 65 && current <= 90 && at < end) {
        column = column * 26 + current - 64;
        current = bytes[++at] as number;
      }
      while (current !== byte.quote && at < end) current = bytes[++at] as number;
      column--;
      at++;

      let style = 0;
      let isShared = false;
      while (bytes[at] === byte.space && bytes[at + 3] === byte.quote) {
        const name = bytes[at + 1];
        at += 4;
        current = bytes[at] as number;
        if (name === letter.t) {
          // Any type other than shared strings takes the general way.
          if (current !== letter.s || bytes[at + 1] !== byte.quote) break;
          isShared = true;
          at += 2;
        } else {
          while (current >= byte.zero && current <= nine && at < end) {
            style = style * 10 + current - byte.zero;
            current = bytes[++at] as number;
          }
          if (name !== letter.s || current !== byte.quote) break;
          at++;
        }
      }
      if (bytes[at] === byte.slash && bytes[at + 1] === byte.greater) {
        cellAt = at + 2;
        continue;
      }
      const startsValue =
        bytes[at] === byte.greater &&
        bytes[at + 1] === byte.less &&
        bytes[at + 2] === letter.v &&
        bytes[at + 3] === byte.greater;
      if (!startsValue || column < texts.length || column >= columnsMax) break;

      const valueAt = at + 4;
      let number = 0;
      let valueEnd = valueAt;
      current = bytes[valueEnd] as number;
      if (isShared) {
        while (current >= byte.zero && current <= nine && valueEnd < end) {
          number = number * 10 + current - byte.zero;
          current = bytes[++valueEnd] as number;
        }
      } else {
        while (current !== byte.less && current !== byte.space && valueEnd < end)
          current = bytes[++valueEnd] as number;
      }
      const endsCell =
        valueEnd > valueAt &&
        valueEnd + 8 < end &&
        bytes[valueEnd] === byte.less &&
        bytes[valueEnd + 1] === byte.slash &&
        bytes[valueEnd + 2] === letter.v &&
        bytes[valueEnd + 4] === byte.less &&
        bytes[valueEnd + 5] === byte.slash &&
        bytes[valueEnd + 6] === letter.c;
      if (!endsCell || (!isShared && dateStyles[style] === true)) break;

      let text: string | undefined;
      if (isShared) {
        text = strings[number];
        if (text === undefined) throw wrongFormat();
      } else {
        text = cursor.ascii(valueAt, valueEnd);
      }
      cellAt = valueEnd + 8;
      if (text === "") continue;
      while (texts.length < column) texts.push("");
      texts.push(text);
      if (!isShared) kinds[column] = cellKind.number;
      hasContent = true;
    }
    cursor.at = cellAt;
    return hasContent;
  }

  /** Reads a row's head; true when the row closes itself. */
  private readRowHead(cursor: XmlCursor, row: SheetRow): boolean {
    const { bytes } = cursor;
    for (;;) {
      const current = bytes[cursor.at];
      if (current === byte.greater) {
        cursor.at++;
        return false;
      }
      if (current === byte.slash) {
        cursor.skipTag();
        return true;
      }
      if (current !== undefined && current <= byte.space) {
        cursor.at++;
        continue;
      }
      const nameAt = cursor.at;
      const nameLength = cursor.find(byte.equals) - nameAt;
      const valueAt = readQuoted(cursor);
      const valueEnd = cursor.at - 1;
      if (nameLength === 1 && current === letter.r) {
        this.rowNumber = readInteger(bytes, valueAt, valueEnd);
        row.sheetRow = this.rowNumber;
      } else if (nameLength === 6 && current === letter.h) {
        row.hidden = bytes[valueAt] === one || bytes[valueAt] === letter.t;
      }
    }
  }

  /** Puts the cell into the row; true when it has content. */
  private readCell(cursor: XmlCursor, row: SheetRow): boolean {
    const { bytes } = cursor;
    const { head } = this;
    head.column = row.texts.length;
    head.style = 0;
    head.typeLetter = letter.n;
    head.typeLength = 1;
    if (this.readCellHead(cursor)) return false;

    let hasFormula = false;
    let inline: string | undefined;
    let valueAt = -1;
    let valueEnd = -1;
    for (;;) {
      const less = cursor.find(byte.less);
      const next = bytes[less + 1];
      if (next === byte.slash) {
        const closesCell = cursor.isName(less + 2, letter.c);
        cursor.skipTag();
        if (closesCell) break;
      } else if (next === byte.exclamation) {
        cursor.readMarkup();
      } else if (cursor.isName(less + 1, letter.v)) {
        cursor.at = less + 1;
        if (cursor.skipTag()) continue;
        valueAt = cursor.at;
        valueEnd = cursor.find(byte.less);
        if (bytes[valueEnd + 1] === byte.exclamation) {
          cursor.at = valueAt;
          inline = cursor.readContent();
        }
      } else if (cursor.isName(less + 1, letter.i, letter.s)) {
        cursor.at = less + 1;
        if (!cursor.skipTag()) inline = cursor.readRuns();
      } else {
        if (cursor.isName(less + 1, letter.f)) hasFormula = true;
        cursor.at = less + 1;
        cursor.skipTag();
      }
    }
    if (head.column >= this.cells.columnsMax) return false;
    return this.placeCell(cursor, row, valueAt, valueEnd, inline, hasFormula);
  }

  /** Reads a cell's head; true when the cell closes itself, so that it is only a border or a colour. */
  private readCellHead(cursor: XmlCursor): boolean {
    const { bytes } = cursor;
    const { head } = this;
    for (;;) {
      const current = bytes[cursor.at];
      if (current === byte.greater) {
        cursor.at++;
        return false;
      }
      if (current === byte.slash) {
        cursor.skipTag();
        return true;
      }
      if (current !== undefined && current <= byte.space) {
        cursor.at++;
        continue;
      }
      const nameAt = cursor.at;
      const nameLength = cursor.find(byte.equals) - nameAt;
      const valueAt = readQuoted(cursor);
      const valueEnd = cursor.at - 1;
      if (nameLength !== 1) continue;
      if (current === letter.r) head.column = readColumn(bytes, valueAt, valueEnd);
      else if (current === letter.s) head.style = readInteger(bytes, valueAt, valueEnd);
      else if (current === letter.t) {
        head.typeLetter = bytes[valueAt] as number;
        head.typeLength = valueEnd - valueAt;
      }
    }
  }

  private placeCell(
    cursor: XmlCursor,
    row: SheetRow,
    valueAt: number,
    valueEnd: number,
    inline: string | undefined,
    hasFormula: boolean,
  ): boolean {
    const { typeLetter, typeLength, style } = this.head;
    const { cellTexts, workbook } = this.cells;
    const isShared = typeLetter === letter.s && typeLength === 1;
    if (inline === undefined && valueEnd <= valueAt) {
      // Programs without a calculator write formulas without a result; an empty text result is a real result.
      if (!hasFormula || typeLetter !== letter.n) return false;
      return this.place(row, cellTexts.noResult, cellKind.error);
    }
    if (isShared) {
      const text = this.cells.strings[readInteger(cursor.bytes, valueAt, valueEnd)];
      if (text === undefined) throw wrongFormat();
      return this.place(row, text, cellKind.text);
    }
    if (typeLetter === letter.n) {
      const text = (inline ?? cursor.ascii(valueAt, valueEnd)).trim();
      if (workbook.dateStyles[style] === true) {
        const date = dateOfSerial(Number(text), workbook.from1904, cellTexts);
        if (date !== undefined) return this.place(row, date, cellKind.date);
      }
      return this.place(row, text, cellKind.number);
    }
    const text = inline ?? cursor.decoded(valueAt, valueEnd);
    if (typeLetter === letter.b)
      return this.place(row, text === "1" ? cellTexts.yes : cellTexts.no, cellKind.boolean);
    if (typeLetter === letter.e) return this.place(row, text, cellKind.error);
    if (typeLetter === letter.d) return this.place(row, dateOfIso(text, cellTexts) ?? text, cellKind.date);
    return this.place(row, text, cellKind.text);
  }

  private place(row: SheetRow, text: string, kind: CellKind): boolean {
    if (text === "") return false;
    const { texts, kinds } = row;
    const { column } = this.head;
    while (texts.length < column) texts.push("");
    texts[column] = text;
    if (kind !== cellKind.text) kinds[column] = kind;
    return true;
  }
}

function isSheetDataEnd(cursor: XmlCursor, nameAt: number): boolean {
  const { bytes, at } = cursor;
  if (bytes[at + 1] === byte.slash) return cursor.ascii(nameAt + 1, nameAt + 10) === "sheetData";
  if (cursor.ascii(nameAt, nameAt + 9) !== "sheetData") return false;
  const from = cursor.at;
  const closesItself = cursor.skipTag();
  cursor.at = from;
  return closesItself;
}
