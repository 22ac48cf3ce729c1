/** Files that cost much more to read than to send. */
import {
  buildWorkbook,
  buildZip,
  columnName,
  inlineRow,
  worksheet,
} from "@malote/sheet-reader/testing-workbook";
import {
  changed,
  contentOf,
  files,
  goodParts,
  goodWorkbook,
  goodXml,
  headings,
  heavy,
  type Made,
  mebibyte,
  noise,
  readParts,
  sheetPart,
} from "./make-files.ts";

const inRowTwo = (cells: string) =>
  buildWorkbook({ sheets: [{ xml: worksheet(`${inlineRow(1, headings)}<row r="2">${cells}</row>`) }] });
const spaces = (count: number) => Buffer.alloc(count, " ");

/**
 * Returns a zip whose directory entries all name the same bytes, so that a few of them inflate to many times the whole.
 */
function overlapping(count: number): Buffer {
  const kernel = buildZip([{ name: "x", content: spaces(16 * mebibyte) }]);
  const directoryAt = kernel.indexOf("PK\u0001\u0002");
  const entry = kernel.subarray(directoryAt, kernel.length - 22);
  const end = Buffer.from(kernel.subarray(kernel.length - 22));
  const entries = Array.from({ length: count }, (_, n) => {
    const named = Buffer.from(entry);
    named.write(String.fromCharCode(33 + (n % 90)), 46, "latin1");
    return named;
  });
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  return Buffer.concat([kernel.subarray(0, directoryAt), ...entries, end]);
}

export const bombs = files("bombs", "folha.xlsx", [
  ...readParts.map(
    (part): Made => [
      `${part} of a thousand to one`,
      () => changed(part, { content: Buffer.concat([Buffer.from(contentOf(part)), spaces(120 * mebibyte)]) }),
      heavy,
    ],
  ),
  [
    "a sheet of two hundred megabytes behind its rows",
    () => changed(sheetPart, { content: Buffer.concat([Buffer.from(goodXml), spaces(200 * mebibyte)]) }),
    heavy,
  ],
  [
    "a sheet of twenty megabytes behind its rows",
    () => changed(sheetPart, { content: Buffer.concat([Buffer.from(goodXml), spaces(20 * mebibyte)]) }),
  ],
  [
    "a workbook in a workbook in a workbook",
    () => changed(sheetPart, { content: changed(sheetPart, { content: goodWorkbook }) }),
  ],
  [
    "two thousand parts more than allowed",
    () =>
      buildZip([...goodParts, ...Array.from({ length: 2_100 }, (_, n) => ({ name: `x${n}`, content: "" }))]),
  ],
  ["forty parts on the same bytes", () => overlapping(40)],
  [
    "two parts of one name",
    () => buildZip([...goodParts, { name: sheetPart.toUpperCase(), content: goodXml }]),
  ],
  [
    "two million rows",
    () => {
      const row = '<row><c t="inlineStr"><is><t>a</t></is></c><c><v>1</v></c></row>';
      return buildWorkbook({
        sheets: [{ xml: worksheet(inlineRow(1, headings) + row.repeat(2_000_000)) }],
      });
    },
    heavy,
  ],
  [
    "a row number past the last row, and back",
    () =>
      buildWorkbook({
        sheets: [{ xml: worksheet(`${inlineRow(1, headings)}<row r="99999999999"><c r="A1"><v>1`) }],
      }),
  ],
  [
    "three million shared strings",
    () => changed("xl/sharedStrings.xml", { content: `<sst>${"<si/>".repeat(3_000_000)}</sst>` }),
    heavy,
  ],
  ["a string that does not exist", () => inRowTwo('<c r="A2" t="s"><v>77</v></c>')],
  ["a string before the first", () => inRowTwo('<c r="A2" t="s"><v>-1</v></c>')],
  ["a cell without quotes", () => inRowTwo("<c r=A2><v>1</v></c>")],
  [
    "a cell of three megabytes",
    () =>
      inRowTwo(
        `<c r="A2" t="inlineStr"><is><t>${noise(3 * mebibyte)
          .toString("hex")
          .slice(0, 3 * mebibyte)}`,
      ),
  ],
  [
    "sixteen thousand columns in a hundred rows",
    () => {
      const wide = Array.from({ length: 16_384 }, (_, n) => `<c r="${columnName(n)}2"><v>1</v></c>`).join("");
      return buildWorkbook({
        sheets: [
          {
            xml: worksheet(
              inlineRow(
                1,
                Array.from({ length: 16_384 }, (_, n) => `Coluna ${n}`),
              ) + `<row r="2">${wide}</row>`.repeat(100),
            ),
          },
        ],
      });
    },
    heavy,
  ],
]);
