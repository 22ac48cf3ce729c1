/** An ordinary file, and helpers that make hostile files from it. */
import {
  buildZip,
  inlineRow,
  workbookParts,
  worksheet,
  type ZipPart,
} from "@malote/sheet-reader/testing-workbook";

export interface HostileFile {
  group: string;
  name: string;
  fileName: string;
  content: () => Buffer;
  outcome: "refused" | "harmless";
  /** True when reading it is expensive unless it is stopped: these are measured one by one. */
  heavy?: true;
}

export const mebibyte = 1024 * 1024;
export const headings = ["Nome", "Chave Pix", "Valor"];
const payment = ["Ana Lima", "ana@exemplo.com.br", "1,00"];
export const goodXml = worksheet(inlineRow(1, headings) + inlineRow(2, payment));
export const goodParts = workbookParts({ sheets: [{ xml: goodXml }], strings: ["<t>x</t>"] });
export const goodWorkbook = buildZip(goodParts);
export const goodCsv = `${headings.join(";")}\r\n${payment.join(";")}\r\n`;

export const sheetPart = "xl/worksheets/sheet1.xml";
export const readParts = [
  "_rels/.rels",
  "xl/workbook.xml",
  "xl/_rels/workbook.xml.rels",
  "xl/styles.xml",
  "xl/sharedStrings.xml",
  sheetPart,
];

export const changed = (name: string, change: Partial<ZipPart>) =>
  buildZip(goodParts.map((part) => (part.name === name ? { ...part, ...change } : part)));
export const contentOf = (name: string) =>
  String(goodParts.find((part) => part.name === name)?.content ?? "");

export type Made = readonly [name: string, content: () => Buffer, more?: Partial<HostileFile>];
export const files = (group: string, fileName: string, made: readonly Made[]): HostileFile[] =>
  made.map(([name, content, more]) => ({ group, name, fileName, content, outcome: "refused", ...more }));
export const harmless = { outcome: "harmless" } as const;
export const heavy = { heavy: true } as const;

export const entities = {
  "a document type": '<!DOCTYPE x [<!ENTITY a "aaaa">]>',
  "a billion laughs": `<!DOCTYPE x [<!ENTITY l0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`).join("")}]>`,
  "an outside entity": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
  "an outside document type": '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">',
  "a parameter entity": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/p">%p;]>',
};

/** Returns pseudo-random bytes that are always the same. */
export function noise(bytes: number): Buffer {
  let state = 7;
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return (state >> 8) & 0xff;
    }),
  );
}
