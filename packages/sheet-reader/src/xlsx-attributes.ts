import { wrongFormat } from "./sheet-file-error.ts";
import { byte, type XmlCursor } from "./xml-cursor.ts";

/** Moves from the equals sign past the closing quote; returns the start of the value. */
export function readQuoted(cursor: XmlCursor): number {
  const quote = cursor.bytes[++cursor.at];
  if (quote !== byte.quote && quote !== byte.apostrophe) throw wrongFormat();
  const valueAt = ++cursor.at;
  cursor.find(quote);
  cursor.at++;
  return valueAt;
}

export function readInteger(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) - byte.zero;
    if (digit < 0 || digit > 9) throw wrongFormat();
    value = value * 10 + digit;
  }
  return value;
}

/** Returns the column: `C7` is column 2. A reference beyond Excel's alphabet is refused by its number. */
export function readColumn(bytes: Buffer, from: number, to: number): number {
  let column = 0;
  for (let at = from; at < to; at++) {
    const place = (bytes[at] as number) & 0xdf;
    if (place < 65 || place > 90) break;
    column = column * 26 + place - 64;
  }
  if (column === 0) throw wrongFormat();
  return column - 1;
}
