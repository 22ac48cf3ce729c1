import { files, goodCsv, harmless, headings, heavy, type Made, mebibyte } from "./make-files.ts";

export const csv = files("csv", "folha.csv", [
  ["NUL in a name", () => Buffer.from(goodCsv.replace("Ana", "An\0a"))],
  ["NUL behind the last row", () => Buffer.from(`${goodCsv}\0`)],
  ["UTF-16 without a mark", () => Buffer.from(goodCsv, "utf16le")],
  ["UTF-16 the other way, without a mark", () => Buffer.from(goodCsv, "utf16le").swap16()],
  ["UTF-32", () => Buffer.from([...goodCsv].flatMap((sign) => [sign.charCodeAt(0), 0, 0, 0]))],
  ["UTF-16 with a mark and NUL", () => Buffer.from(`\ufeff${goodCsv}\0`, "utf16le")],
  ["a mark and nothing else", () => Buffer.from("\ufeff")],
  ["nothing but blanks", () => Buffer.from("   \r\n  \t \r\n")],
  ["a quote that never closes", () => Buffer.from(goodCsv.replace("Ana", '"Ana') + goodCsv.repeat(100))],
  ["a line of thirty megabytes", () => Buffer.alloc(30 * mebibyte, "a"), heavy],
  ["only quotes", () => Buffer.alloc(30 * mebibyte, '"'), heavy],
  ["quoted lines without a separator", () => Buffer.from('"a"\n'.repeat(5_000_000)), heavy],
  ["quoted fields without a line end", () => Buffer.from('"a";'.repeat(5_000_000)), heavy],
  ["only separators", () => Buffer.alloc(30 * mebibyte, ";"), heavy],
  ["only line ends", () => Buffer.alloc(30 * mebibyte, "\n"), heavy],
  ["two million rows", () => Buffer.from(goodCsv + "a;b;1\n".repeat(2_000_000)), heavy],
  ["headings twice", () => Buffer.from(goodCsv.replace("Nome", "Nome;Valor"))],
  ["headings without rows", () => Buffer.from(`${headings.join(";")}\r\n`)],
  ["headings and rows of blanks", () => Buffer.from(`${headings.join(";")}\r\n;;\r\n ; ; \r\n`)],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"].flatMap(
    (name): Made[] => [
      [`only headings ${name}`, () => Buffer.from(`${name};${name};${name}\r\na;b;c\r\n`)],
      [
        `${name} beside the headings`,
        () => Buffer.from(goodCsv.replace("Nome", `${name};Nome`).replace("Ana Lima", "x;Ana Lima")),
        harmless,
      ],
    ],
  ),
  [
    "an unpaired surrogate as bytes",
    () => Buffer.concat([Buffer.from(goodCsv.trimEnd()), Buffer.from([0x3b, 0xed, 0xa0, 0x80, 0x0d, 0x0a])]),
    harmless,
  ],
  [
    "a thousand columns",
    () => Buffer.from(goodCsv.replaceAll("\r\n", `${";x".repeat(1_000)}\r\n`)),
    harmless,
  ],
  ["UTF-16 with a mark", () => Buffer.from(`\ufeff${goodCsv}`, "utf16le"), harmless],
]);
