import type { FileLimits } from "./limits.ts";
import { unsafe, wrongFormat } from "./sheet-file-error.ts";
import { byte, XmlCursor } from "./xml-cursor.ts";

const letterS = 115;
const letterI = 105;
const letterT = 116;

/** Returns the texts that cells refer to by number, in order. */
export function readSharedStrings(part: Buffer, limits: FileLimits): string[] {
  const prefixLength = findPrefixLength(part, "sst");
  const cursor = new XmlCursor(part, prefixLength);
  const strings: string[] = [];
  for (;;) {
    if (prefixLength === 0) readUsualStrings(cursor, strings, limits.sharedStringsMax);
    const less = nextTag(cursor);
    if (less < 0) return strings;
    if (!cursor.isName(less + 1, letterS, letterI)) {
      if (part[less + 1] === byte.exclamation) cursor.readMarkup();
      else cursor.skipTag();
      continue;
    }
    if (strings.length >= limits.sharedStringsMax) throw unsafe();
    strings.push(cursor.skipTag() ? "" : cursor.readRuns());
  }
}

/** Reads a run of plain `<si><t>text</t></si>` in one loop; the general way reads the first other one. */
function readUsualStrings(cursor: XmlCursor, strings: string[], countMax: number): void {
  const { bytes, end } = cursor;
  let at = cursor.at;
  while (
    at + 16 < end &&
    strings.length < countMax &&
    bytes[at] === byte.less &&
    bytes[at + 1] === letterS &&
    bytes[at + 2] === letterI &&
    bytes[at + 3] === byte.greater &&
    bytes[at + 4] === byte.less &&
    bytes[at + 5] === letterT &&
    bytes[at + 6] === byte.greater
  ) {
    const from = at + 7;
    let to = from;
    let seen = 0;
    let escapes = 0;
    let current = bytes[to] as number;
    while (current !== byte.less && to < end) {
      seen |= current;
      if (current === byte.ampersand || current === byte.underscore) escapes++;
      current = bytes[++to] as number;
    }
    const endsString =
      to + 8 < end &&
      bytes[to + 1] === byte.slash &&
      bytes[to + 2] === letterT &&
      bytes[to + 3] === byte.greater &&
      bytes[to + 4] === byte.less &&
      bytes[to + 5] === byte.slash &&
      bytes[to + 6] === letterS;
    if (!endsString) break;
    strings.push(seen < 0x80 && escapes === 0 ? cursor.ascii(from, to) : cursor.decoded(from, to));
    at = to + 9;
  }
  cursor.at = at;
}

function nextTag(cursor: XmlCursor): number {
  const { bytes, end } = cursor;
  let at = cursor.at;
  while (at < end && bytes[at] !== byte.less) at++;
  cursor.at = at;
  return at < end ? at : -1;
}

/** Returns the length of this element's namespace prefix, 0 for most files. Throws for a document type before it. */
export function findPrefixLength(part: Buffer, element: string): number {
  const at = part.indexOf(element);
  const less = at < 0 ? -1 : part.lastIndexOf("<", at);
  if (less < 0) throw wrongFormat();
  const doctype = part.indexOf("<!DOCTYPE");
  if (doctype >= 0 && doctype < at) throw wrongFormat();
  return at - less - 1;
}
