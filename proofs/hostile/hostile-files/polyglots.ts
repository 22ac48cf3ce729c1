/** Files whose content differs from their name, and names that no file may have. */
import { buildZip } from "@malote/sheet-reader/testing-workbook";
import { files, goodCsv, goodParts, goodWorkbook, type HostileFile, type Made, noise } from "./make-files.ts";

export const polyglots = [
  ...files("polyglots", "folha.xlsx", [
    ["a document before the workbook", () => Buffer.concat([Buffer.from("%PDF-1.7\n"), goodWorkbook])],
    ["a program before the workbook", () => Buffer.concat([Buffer.from("MZ\0\0"), goodWorkbook])],
    ["a picture before the workbook", () => Buffer.concat([Buffer.from("GIF89a"), goodWorkbook])],
    ["a workbook with a macro", () => buildZip([...goodParts, { name: "xl/vbaProject.bin", content: "x" }])],
    ["macro data", () => buildZip([...goodParts, { name: "xl/vbaData.xml", content: "<x/>" }])],
    ...["../../etc/passwd", "..\\..\\win.ini", "xl/../../up", "../xl/workbook.xml", "a/.."].map(
      (name): Made => [`the name ${name}`, () => buildZip([...goodParts, { name, content: "x" }])],
    ),
    ["a text", () => Buffer.from(goodCsv)],
    ["a page", () => Buffer.from("<html><table><tr><td>Nome</table>")],
    ["the old Excel", () => Buffer.from("d0cf11e0a1b11ae1".padEnd(2_000, "0"), "hex")],
    [
      "a workbook with a password",
      () =>
        Buffer.concat([
          Buffer.from("d0cf11e0a1b11ae1", "hex"),
          Buffer.from("EncryptedPackage", "utf16le"),
          Buffer.alloc(600),
        ]),
    ],
    ["an archive without a workbook", () => buildZip([{ name: "a.txt", content: "a" }])],
    ["an empty archive", () => buildZip([])],
    ["one byte", () => Buffer.from("P")],
    ["zeros", () => Buffer.alloc(100_000)],
    ["noise", () => noise(100_000)],
  ]),
  ...files("polyglots", "folha.csv", [
    ["a workbook", () => goodWorkbook],
    ["a page", () => Buffer.from(`<html><script>alert(1)</script>\n${goodCsv}`)],
    ["a page behind blanks", () => Buffer.from(`  \n <!doctype html>\n${goodCsv}`)],
    ["a picture that is a page", () => Buffer.from(`<svg onload="alert(1)">\n${goodCsv}`)],
    ["an XML that is a table", () => Buffer.from(`\ufeff<?xml version="1.0"?>\n${goodCsv}`)],
    ["a document", () => Buffer.from(`%PDF-1.7\n${goodCsv}`)],
    ["rich text", () => Buffer.from(`{\\rtf1\n${goodCsv}`)],
  ]),
];

/** Names that a file may not have, whatever its content, and misleading names. */
export const names = [
  ...[
    "folha.xls",
    "folha.xlsm",
    "folha.xlsb",
    "folha.pdf",
    "folha",
    ".",
    "folha.csv.exe",
    "folha.csv\u202e",
    "csv",
    "folha.xlsx/",
    "folha.csv;",
    "../../etc/passwd",
    "folha.csv:stream",
  ].map(
    (fileName): HostileFile => ({
      group: "names",
      name: JSON.stringify(fileName),
      fileName,
      content: () => Buffer.from(goodCsv),
      outcome: "refused",
    }),
  ),
  ...[
    "../../../folha.csv",
    "C:\\Windows\\folha.csv",
    "fo\ud800lha.csv",
    "<img src=x onerror=alert(1)>.csv",
    "=cmd|'/c calc'!A1.csv",
    `${"a".repeat(700)}.csv`,
    "folha\u202exslx.csv",
    "CON.csv",
    "\u0000folha.csv",
  ].map(
    (fileName): HostileFile => ({
      group: "names",
      name: JSON.stringify(fileName.slice(0, 60)),
      fileName,
      content: () => Buffer.from(goodCsv),
      outcome: "harmless",
    }),
  ),
];
