import { wrongFormat } from "./sheet-file-error.ts";
import { decodeEntities, decodeOfficeEscapes } from "./xml-text.ts";

export const byte = {
  tab: 9,
  space: 32,
  exclamation: 33,
  quote: 34,
  ampersand: 38,
  apostrophe: 39,
  slash: 47,
  zero: 48,
  less: 60,
  equals: 61,
  greater: 62,
  underscore: 95,
} as const;

const letterT = 116;
const letterR = 114;
const letterS = 115;
const letterI = 105;
const upperP = 80;
const cdataStart = Buffer.from("<![CDATA[");
const commentStart = Buffer.from("<!--");

/**
 * Walks the bytes of a large part. It compares bytes as numbers and cuts texts out of one Latin-1 copy: a tree, a
 * pattern or a native call per cell would each cost several times the whole reading. Every step stops at `end`, so a
 * truncated part is refused and never loops.
 */
export class XmlCursor {
  readonly bytes: Buffer;
  readonly end: number;
  /** Length of a namespace prefix such as `x:`, which some programs put before every name. */
  readonly prefixLength: number;
  at: number;
  private readonly latin1: string;

  constructor(bytes: Buffer, prefixLength: number) {
    this.bytes = bytes;
    this.end = bytes.length;
    this.prefixLength = prefixLength;
    this.at = 0;
    this.latin1 = bytes.toString("latin1");
  }

  /** Moves to the next such byte and returns its position. */
  find(wanted: number): number {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end && bytes[at] !== wanted) at++;
    if (at >= end) throw wrongFormat();
    this.at = at;
    return at;
  }

  /** Moves from inside a tag past its `>`; true when the tag closes itself. */
  skipTag(): boolean {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end) {
      const current = bytes[at];
      if (current === byte.greater) {
        this.at = at + 1;
        return bytes[at - 1] === byte.slash;
      }
      at++;
      // A `>` between quotes does not end the tag.
      if (current === byte.quote || current === byte.apostrophe) {
        while (at < end && bytes[at] !== current) at++;
        at++;
      }
    }
    throw wrongFormat();
  }

  /** Returns whether the name at this position, after the prefix, consists of exactly these one or two letters. */
  isName(at: number, first: number, second?: number): boolean {
    const { bytes } = this;
    const nameAt = at + this.prefixLength;
    if (bytes[nameAt] !== first) return false;
    if (second === undefined) return isNameEnd(bytes[nameAt + 1]);
    return bytes[nameAt + 1] === second && isNameEnd(bytes[nameAt + 2]);
  }

  /** Returns plain ASCII without decoding: digits, references. */
  ascii(from: number, to: number): string {
    return this.latin1.slice(from, to);
  }

  decoded(from: number, to: number): string {
    const { bytes } = this;
    let seen = 0;
    let escaped = false;
    for (let at = from; at < to; at++) {
      const current = bytes[at] as number;
      seen |= current;
      if (current === byte.ampersand || current === byte.underscore) escaped = true;
    }
    const text = seen & 0x80 ? bytes.toString("utf8", from, to) : this.latin1.slice(from, to);
    return escaped ? decodeOfficeEscapes(decodeEntities(text)) : text;
  }

  /** Returns the text from here to the closing tag, which the caller reads. */
  readContent(): string {
    const { bytes } = this;
    let text = "";
    for (;;) {
      const from = this.at;
      const less = this.find(byte.less);
      if (less > from) text += this.decoded(from, less);
      if (bytes[less + 1] !== byte.exclamation) return text;
      text += this.readMarkup();
    }
  }

  /**
   * Reads a comment (returned as empty) or the text of a CDATA section; throws for anything else that starts with `<!`.
   */
  readMarkup(): string {
    const { bytes, at } = this;
    const isCdata = bytes.compare(cdataStart, 0, cdataStart.length, at, at + cdataStart.length) === 0;
    const isComment = bytes.compare(commentStart, 0, commentStart.length, at, at + commentStart.length) === 0;
    if (!isCdata && !isComment) throw wrongFormat();
    const from = at + (isCdata ? cdataStart.length : commentStart.length);
    const to = bytes.indexOf(isCdata ? "]]>" : "-->", from);
    if (to < 0) throw wrongFormat();
    this.at = to + 3;
    return isCdata ? bytes.toString("utf8", from, to) : "";
  }

  /**
   * Returns the text of `<si>` or `<is>` and moves past its closing tag: all runs of rich text, without phonetic hints.
   */
  readRuns(): string {
    const { bytes } = this;
    let text = "";
    let inPhonetic = false;
    for (;;) {
      const less = this.find(byte.less);
      const next = bytes[less + 1];
      if (next === byte.exclamation) {
        this.readMarkup();
      } else if (next === byte.slash) {
        const nameAt = less + 2;
        const closes = this.isName(nameAt, letterS, letterI) || this.isName(nameAt, letterI, letterS);
        if (this.isPhonetic(nameAt)) inPhonetic = false;
        this.skipTag();
        if (closes) return text;
      } else {
        const nameAt = less + 1;
        const isText = this.isName(nameAt, letterT);
        const isPhonetic = !isText && this.isPhonetic(nameAt);
        this.at = nameAt;
        const closesItself = this.skipTag();
        if (isPhonetic && !closesItself) inPhonetic = true;
        if (isText && !closesItself) {
          const run = this.readContent();
          if (!inPhonetic) text += run;
        }
      }
    }
  }

  private isPhonetic(at: number): boolean {
    return (
      this.bytes[at + this.prefixLength] === letterR && this.bytes[at + this.prefixLength + 1] === upperP
    );
  }
}

function isNameEnd(value: number | undefined): boolean {
  return value === byte.greater || value === byte.slash || value === undefined || value <= byte.space;
}
