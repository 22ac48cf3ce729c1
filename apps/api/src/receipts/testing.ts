/** Test readers of generated files, independent of the code that writes them. */
import { crc32, inflateSync } from "node:zlib";

export interface ZipEntry {
  name: string;
  content: Buffer;
  /** Time as `YYYY-MM-DD HH:MM:SS`. */
  at: string;
}

/** Returns the entries of a ZIP's directory, after checking their checksums. */
export function entriesOf(zip: Buffer): ZipEntry[] {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  let count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (count === 0xffff) {
    const wide = Number(zip.readBigUInt64LE(end - 20 + 8));
    count = Number(zip.readBigUInt64LE(wide + 32));
    at = Number(zip.readBigUInt64LE(wide + 48));
  }
  return Array.from({ length: count }, () => {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error(`no entry at ${at}`);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const header = zip.readUInt32LE(at + 42);
    const data = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const content = zip.subarray(data, data + zip.readUInt32LE(at + 20));
    if (crc32(content) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is broken`);
    const entry = { name, content, at: wallTime(zip.readUInt16LE(at + 14), zip.readUInt16LE(at + 12)) };
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    return entry;
  });
}

function wallTime(date: number, time: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${1980 + (date >> 9)}-${two((date >> 5) & 15)}-${two(date & 31)}`;
  return `${day} ${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`;
}

export const pagesOf = (pdf: Buffer): number =>
  pdf.toString("latin1").match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;

/** Returns the visible text of a PDF, line by line. */
export function linesOf(pdf: Buffer): string[] {
  const text = pdf.toString("latin1");
  const lines: string[] = [];
  for (const { index, 0: head } of text.matchAll(/stream\r?\n/g)) {
    if (text.slice(index - 3, index) === "end") continue;
    const from = index + head.length;
    const drawn = inflateSync(pdf.subarray(from, text.indexOf("endstream", from))).toString("latin1");
    for (const [, shown = ""] of drawn.matchAll(/\[([^\]]*)\] TJ/g)) {
      const hex = [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, digits]) => digits).join("");
      lines.push(new TextDecoder("windows-1252").decode(Buffer.from(hex, "hex")).trim());
    }
  }
  return lines;
}
