/** Opens our files as a spreadsheet program does, without any code of ours. */
import { inflateRawSync } from "node:zlib";
import { readXlsx } from "hucre";
import { calculates } from "./formulas.ts";

export interface OpenedTable {
  rows: string[][];
  /** Cells that would calculate, and parts that would execute or fetch something. */
  alive: string[];
}

export async function openTable(bytes: Buffer): Promise<OpenedTable> {
  if (bytes.readUInt32BE(0) === 0x504b0304) return openWorkbook(bytes);
  const text = bytes.toString("utf8");
  const { rows, alive } = openCsv(text, ";");
  // Abroad the same file is opened with other separators, by programs that read a later quote as a plain character.
  const others = [",", "\t"].flatMap((separator) => openCsv(text, separator).alive);
  return { rows, alive: [...alive, ...others] };
}

/**
 * Opens a CSV as a double click in Brazil does: the semicolon splits cells, quotes hold one together, the rest is text.
 */
function openCsv(text: string, separator: string): OpenedTable {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  const body = text.replace(/^\ufeff/, "");
  for (let at = 0; at < body.length; at++) {
    const sign = body[at];
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (body[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (sign === '"' && cell === "") quoted = true;
    else if (sign === separator) endCell();
    else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && body[at + 1] === "\n") at++;
      endCell();
      rows.push(row);
      row = [];
    } else cell += sign;
  }
  if (cell !== "" || row.length > 0) {
    endCell();
    rows.push(row);
  }
  return { rows, alive: rows.flat().filter((cell) => calculates(cell) || calculates(unquoted(cell))) };
}

/** Removes quotes, because some programs drop quotes that open no cell of theirs. */
const unquoted = (cell: string) => cell.replace(/^["\s]+/, "");

/** Opens a workbook. A text cell calculates nothing whatever its content; a formula, a link or a program would. */
async function openWorkbook(bytes: Buffer): Promise<OpenedTable> {
  const alive: string[] = [];
  for (const { name, content } of partsOf(bytes)) {
    if (/vba|externalLink|activeX|embeddings|connections|queryTable|ctrlProps/i.test(name)) alive.push(name);
    if (/worksheets\/[^/]+\.xml$/.test(name)) {
      alive.push(...(content.match(/<(\w+:)?f[\s>/][^<]*/g) ?? []));
      // A cell that is not text, number or boolean is a formula's result or a link.
      for (const [cell] of content.matchAll(/<(?:\w+:)?c\s[^>]*\bt="(?:str|e)"[^>]*>/g)) alive.push(cell);
      alive.push(...(content.match(/<(\w+:)?(hyperlink|oleObject|legacyDrawing)[\s>][^<]*/g) ?? []));
    }
    if (/\.rels$/.test(name)) alive.push(...(content.match(/TargetMode="External"[^>]*/g) ?? []));
  }
  const { sheets } = await readXlsx(bytes);
  const rows = (sheets[0]?.rows ?? []).map((row) =>
    row.map((value) => (value === null ? "" : String(value))),
  );
  return { rows, alive };
}

function partsOf(zip: Buffer): { name: string; content: string }[] {
  const parts: { name: string; content: string }[] = [];
  const end = zip.lastIndexOf("PK\u0005\u0006");
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    const [method, packed, nameBytes] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
    ];
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(from, from + packed);
    parts.push({
      name: zip.toString("utf8", at + 46, at + 46 + nameBytes),
      content: (method === 0 ? bytes : inflateRawSync(bytes)).toString("utf8"),
    });
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return parts;
}
