import { describe, expect, it } from "vitest";
import { openTabs } from "./open-tabs.ts";
import { SheetFileError } from "./sheet-file-error.ts";
import {
  buildWorkbook,
  buildZip,
  columnName,
  gather,
  inlineRow,
  inlineWorkbook,
  workbookParts,
  worksheet,
  type ZipPart,
} from "./testing-workbook.ts";

const headings = ["Nome", "Chave Pix", "Valor"];
const goodXml = worksheet(inlineRow(1, headings) + inlineRow(2, ["Ana Lima", "a@b.com", "1,00"]));
const goodParts = workbookParts({ sheets: [{ xml: goodXml }], strings: ["<t>x</t>"] });
const mebibyte = 1024 * 1024;

/** Returns the valid workbook with one part changed. */
function changed(name: string, change: Partial<ZipPart>): Buffer {
  return buildZip(goodParts.map((part) => (part.name === name ? { ...part, ...change } : part)));
}

async function readAll(bytes: Buffer, format: "xlsx" | "csv" = "xlsx") {
  const [tab] = await openTabs(bytes, format);
  return tab === undefined ? [] : (await gather(tab())).flat();
}

/** Returns the number of rows including the headings, or the reason why there are none. */
async function fetchOutcome(bytes: Buffer, format: "xlsx" | "csv" = "xlsx"): Promise<string> {
  try {
    return `${(await readAll(bytes, format)).length} rows`;
  } catch (error) {
    if (error instanceof SheetFileError) return error.code;
    throw error;
  }
}

const sheetPart = "xl/worksheets/sheet1.xml";
const stringsPart = "xl/sharedStrings.xml";
const workbookPart = "xl/workbook.xml";
const doctype = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>';
const spaces = (bytes: number) => Buffer.alloc(bytes, " ");

describe("hostile workbooks are refused before they cost time or memory", () => {
  const cases: [string, () => Buffer, string][] = [
    [
      "a bomb of spaces in the sheet",
      () => changed(sheetPart, { content: spaces(200 * mebibyte) }),
      "unsafe",
    ],
    ["a bomb in the strings", () => changed(stringsPart, { content: spaces(60 * mebibyte) }), "unsafe"],
    [
      "a bomb in the workbook part",
      () => changed(workbookPart, { content: spaces(30 * mebibyte) }),
      "unsafe",
    ],
    ["a sheet longer than it says", () => changed(sheetPart, { claimedBytes: 100 }), "unsafe"],
    ["a sheet shorter than it says", () => changed(sheetPart, { claimedBytes: 100_000 }), "unsafe"],
    ["sizes of four gigabytes", () => changed(sheetPart, { claimedBytes: 0xfffffffe }), "unsafe"],
    ["a wrong checksum", () => changed(sheetPart, { claimedCrc: 1 }), "wrong_format"],
    ["an encrypted part", () => changed(sheetPart, { flags: 1 }), "encrypted"],
    [
      "a document type in the sheet",
      () => changed(sheetPart, { content: doctype + goodXml }),
      "wrong_format",
    ],
    [
      "a document type in the strings",
      () => changed(stringsPart, { content: `${doctype}<sst></sst>` }),
      "wrong_format",
    ],
    ["a document type in the workbook", () => changed(workbookPart, { content: doctype }), "wrong_format"],
    [
      "a sheet in UTF-16",
      () => changed(sheetPart, { content: Buffer.from(`\ufeff${goodXml}`, "utf16le") }),
      "wrong_format",
    ],
    ["a sheet that breaks off", () => changed(sheetPart, { content: goodXml.slice(0, -40) }), "wrong_format"],
    [
      "two parts of one name",
      () => buildZip([...goodParts, { name: sheetPart.toUpperCase(), content: goodXml }]),
      "unsafe",
    ],
    [
      "thousands of parts",
      () =>
        buildZip([
          ...goodParts,
          ...Array.from({ length: 2_100 }, (_, index) => ({ name: `x${index}`, content: "" })),
        ]),
      "unsafe",
    ],
    ["a string that does not exist", () => inTwo('<c r="A2" t="s"><v>77</v></c>'), "wrong_format"],
    ["a cell without quotes", () => inTwo("<c r=A2><v>1</v></c>"), "wrong_format"],
    [
      "a row of three megabytes",
      () => inTwo(`<c r="A2" t="inlineStr"><is><t>${randomText(3 * mebibyte)}</t></is></c>`),
      "unsafe",
    ],
    ["no workbook in the zip", () => buildZip([{ name: "a.txt", content: "a" }]), "wrong_format"],
    ["nothing but a zip's end", () => buildZip([]), "wrong_format"],
    ["half a file", () => inlineWorkbook([headings, ["a", "b", "1"]]).subarray(0, 700), "wrong_format"],
  ];

  it.each(cases)("refuses %s", async (_, build, code) => {
    expect(await fetchOutcome(build())).toBe(code);
  });

  function inTwo(cells: string): Buffer {
    return buildWorkbook({
      sheets: [{ xml: worksheet(`${inlineRow(1, headings)}<row r="2">${cells}</row>`) }],
    });
  }

  it("reads a million empty rows, and no further than requested", async () => {
    const empty = worksheet(
      inlineRow(1, headings) +
        inlineRow(2, ["Ana", "a@b.com", "1"]) +
        '<row r="3" spans="1:3" ht="15"/>'.repeat(1_000_000),
    );
    expect(await fetchOutcome(buildWorkbook({ sheets: [{ xml: empty }] }))).toMatch(/^2 rows$|^unsafe$/);

    const row = '<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>';
    const many = buildWorkbook({ sheets: [{ xml: worksheet(row.repeat(1_000_000)) }] });
    const [tab] = await openTabs(many, "xlsx");
    let rows = 0;
    for await (const block of tab?.() ?? []) {
      rows += block.length;
      if (rows > 100_000) break;
    }
    expect(rows).toBeLessThan(110_000);
  });

  it("stops before sixteen thousand columns", async () => {
    const wide = Array.from(
      { length: 16_384 },
      (_, column) => `<c r="${columnName(column)}2"><v>1</v></c>`,
    ).join("");
    const [, row] = await readAll(inTwo(wide));
    expect(row?.texts).toHaveLength(100);
  });

  it.each([
    ["a macro", [{ name: "xl/vbaProject.bin", content: "macro" }]],
    ["a part name that leaves its folder", [{ name: "../../etc/passwd", content: "x" }]],
    [
      "a part name that leaves its folder in Windows notation",
      [{ name: "xl\\..\\..\\win.ini", content: "x" }],
    ],
  ])("refuses %s", async (_, more) => {
    expect(await fetchOutcome(buildZip([...goodParts, ...more]))).toBe("unsafe");
  });

  it("does not follow links to the outside", async () => {
    const bytes = buildZip([...goodParts, { name: "xl/externalLinks/externalLink1.xml", content: doctype }]);
    expect(await fetchOutcome(bytes)).toBe("2 rows");
  });

  it("refuses a document that is also a workbook", async () => {
    const both = Buffer.concat([Buffer.from("%PDF-1.7\n"), buildZip(goodParts)]);
    expect(await fetchOutcome(both)).toBe("wrong_format");
  });

  it("refuses overlapping parts", async () => {
    const bytes = buildZip([...goodParts, { name: "a", content: "x" }, { name: "b", content: "y" }]);
    const directory = bytes.lastIndexOf("PK\u0001\u0002");
    bytes.writeUInt32LE(bytes.readUInt32LE(directory + 42) - 31, directory + 42);
    expect(await fetchOutcome(bytes)).toBe("unsafe");
  });

  it("reads stored parts and true sizes in the zip64 field", async () => {
    expect(await fetchOutcome(changed(sheetPart, { stored: true }))).toBe("2 rows");
    expect(await fetchOutcome(changed(sheetPart, { zip64: true }))).toBe("2 rows");
  });

  it("survives every truncation and flipped byte of a good file", async () => {
    const good = inlineWorkbook([headings, ["Ana Lima", "a@b.com", "1,00"]]);
    for (let at = 0; at < good.length; at += 3) {
      const flipped = Buffer.from(good);
      flipped[at] = (flipped[at] as number) ^ 0x55;
      await fetchOutcome(flipped);
      await fetchOutcome(good.subarray(0, at));
    }
  });

  it("survives markup that is truncated or repeated anywhere", async () => {
    for (let at = 0; at < goodXml.length; at += 2) {
      await fetchOutcome(
        changed(sheetPart, { content: goodXml.slice(0, at) + goodXml.slice(at + 1), stored: true }),
      );
      await fetchOutcome(
        changed(sheetPart, { content: `${goodXml.slice(0, at)}<${goodXml.slice(at)}`, stored: true }),
      );
    }
  });
});

describe("hostile CSV", () => {
  it.each([
    [
      "a page that is a table too",
      () => Buffer.from(`<html>\nNome;Chave Pix;Valor\nAna;a@b.com;1`),
      "wrong_format",
    ],
    [
      "a document that is a table too",
      () => Buffer.from(`%PDF-1.7\nNome;Chave Pix;Valor\nAna;a@b.com;1`),
      "wrong_format",
    ],
    ["a line of thirty megabytes", () => Buffer.alloc(30 * mebibyte, "a"), "wrong_format"],
    ["only quotes", () => Buffer.alloc(30 * mebibyte, '"'), "wrong_format"],
    ["quoted lines without a separator", () => Buffer.from('"a"\n'.repeat(5_000_000)), "too_many_lines"],
    ["quoted fields without a line end", () => Buffer.from('"a";'.repeat(5_000_000)), "wrong_format"],
    ["only separators", () => Buffer.alloc(30 * mebibyte, ";"), "wrong_format"],
    ["only line ends", () => Buffer.alloc(30 * mebibyte, "\n"), "too_many_lines"],
  ])("refuses %s", async (_, build, code) => {
    expect(await fetchOutcome(build(), "csv")).toBe(code);
  });

  it("refuses a file above the limit by its size", async () => {
    expect(await fetchOutcome(Buffer.alloc(51 * mebibyte), "csv")).toBe("too_large");
  });
});

function randomText(length: number): string {
  let state = 1;
  const letters = Buffer.alloc(length);
  for (let at = 0; at < length; at++) {
    state = (state * 1103515245 + 12345) % 2147483648;
    letters[at] = 97 + (state % 26);
  }
  return letters.toString("latin1");
}
