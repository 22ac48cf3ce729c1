import { describe, expect, it } from "vitest";
import { fileLimits } from "./limits.ts";
import { openTabs } from "./open-tabs.ts";
import type { SheetRow } from "./sheet-row.ts";
import { gather, inlineWorkbook } from "./testing-workbook.ts";

const csv = (lines: string[]) => Buffer.from(lines.join("\n"));

async function read(bytes: Buffer, options: Parameters<typeof openTabs>[2] = {}): Promise<SheetRow[]> {
  const [tab] = await openTabs(bytes, "csv", options);
  if (tab === undefined) throw new Error("no tab");
  return (await gather(tab())).flat();
}

const fetchTexts = async (bytes: Buffer) => (await read(bytes)).map(({ texts }) => texts);

describe("refuses", () => {
  it.each([
    ["nothing", Buffer.alloc(0), "empty"],
    ["a zip", inlineWorkbook([["a", "b"]]), "wrong_format"],
    ["a page", csv(["  <!doctype html>", "a;b"]), "wrong_format"],
    ["a document", csv(["%PDF-1.7", "a;b"]), "wrong_format"],
    ["bytes with NUL", Buffer.from("Name;Amount\0;x"), "wrong_format"],
    ["a quote that never closes", csv(["Name;Key", '"Ana;b', "c;d"]), "wrong_format"],
  ])("%s", async (_, bytes, code) => {
    await expect(read(bytes)).rejects.toMatchObject({ code });
  });

  it("a missing closing quote that would swallow the rows below it", async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `Person ${index};a${index}@b.com;1`);
    const bytes = csv(["Name;Key;Amount", '"Ana;a@b.com;1', ...rows, 'Bia";b@c.com;1', ""]);
    await expect(read(bytes)).rejects.toMatchObject({ code: "wrong_format" });
  });

  it("text after a closed quote that swallowed line ends", async () => {
    await expect(read(csv(["Name;Key", '"Ana;1', 'Bia"x;2']))).rejects.toMatchObject({
      code: "wrong_format",
    });
  });

  it("one byte and one line more than the limits", async () => {
    const limits = { ...fileLimits, fileBytesMax: 8, linesMax: 3 };
    expect(await read(Buffer.from("a;b\nc;d\n"), { limits })).toHaveLength(2);
    await expect(read(Buffer.from("a;b\nc;d\n\n"), { limits })).rejects.toMatchObject({ code: "too_large" });
    await expect(read(Buffer.from("a\nb\nc\nd\n"), { limits })).rejects.toMatchObject({
      code: "too_many_lines",
    });
  });
});

describe("reads", () => {
  const text =
    'Descrição do mês;Key;Amount\r\n"nota ""1""\r\nlinha 2";a@b.com;"1.234,56"\r\nBar "do Zé";b@c.com;2\r\n';
  const encoded: [string, Buffer][] = [
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${text}`)],
    ["UTF-16 LE", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 BE", Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
    ["windows-1252", Buffer.from(text, "latin1")],
    ["commas", Buffer.from(text.replaceAll(";", ","))],
    ["tabs", Buffer.from(text.replaceAll(";", "\t"))],
    ["line ends of a Mac", Buffer.from(text.replaceAll("\r\n", "\r"))],
    ["line ends of Unix", Buffer.from(text.replaceAll("\r\n", "\n"))],
    ["no last line end", Buffer.from(text.trimEnd())],
  ];

  it.each(encoded)("%s", async (_, bytes) => {
    expect((await read(bytes)).map(({ sheetRow, hidden, texts }) => ({ sheetRow, hidden, texts }))).toEqual([
      { sheetRow: 1, hidden: false, texts: ["Descrição do mês", "Key", "Amount"] },
      { sheetRow: 2, hidden: false, texts: ['nota "1"\nlinha 2', "a@b.com", "1.234,56"] },
      { sheetRow: 4, hidden: false, texts: ['Bar "do Zé"', "b@c.com", "2"] },
    ]);
  });

  it("text after a closed quote as part of the cell, and numbers rows by their lines", async () => {
    const rows = await read(csv(['"a"bc;d', "", " ; ", "e;f"]));
    expect(rows.map(({ sheetRow, texts }) => [sheetRow, ...texts])).toEqual([
      [1, "abc", "d"],
      [4, "e", "f"],
    ]);
  });

  it("no cell after the last column", async () => {
    const [row] = await read(csv(["a;".repeat(200)]));
    expect(row?.texts).toHaveLength(fileLimits.columnsMax);
  });

  it("the same rows whatever the size of the pieces", async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => [
      `p${index}`,
      index % 7 === 0 ? `"a ""b""\n${"ã".repeat(index % 41)}"` : "x".repeat(index % 53),
    ]);
    const expected = rows.map(([first, second = ""]) => [
      first,
      second.startsWith('"') ? second.slice(1, -1).replaceAll('""', '"') : second,
    ]);
    const bytes = Buffer.from(rows.map((cells) => cells.join(";")).join("\r\n"));
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
    expect(await fetchTexts(bytes)).toEqual(expected);
  });
});

describe("separator", () => {
  it("is the one that gives all rows the width of the first, semicolons before others", async () => {
    expect(await fetchTexts(csv(["name,amount", "Ana;Bia,1", "Caio,2"]))).toEqual([
      ["name", "amount"],
      ["Ana;Bia", "1"],
      ["Caio", "2"],
    ]);
    expect(await fetchTexts(csv(["1,5;2,5", "3,5;4,5"]))).toEqual([
      ["1,5", "2,5"],
      ["3,5", "4,5"],
    ]);
  });

  it("is rated by the caller", async () => {
    const rateRows = (rows: readonly SheetRow[]) => (rows[0]?.texts.includes("amount, total") ? 1 : 0);
    const rows = await read(csv(["name\tamount, total", "Ana\t1,5"]), { rateRows });
    expect(rows.map(({ texts }) => texts)).toEqual([
      ["name", "amount, total"],
      ["Ana", "1,5"],
    ]);
  });
});
