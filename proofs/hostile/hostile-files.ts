/**
 * Files that mean harm, made in code. Each says what must become of it: refused, or read as exactly the one payment that a
 * person sees in it, because what is odd about it is no harm to us.
 */
import {
  buildWorkbook,
  buildZip,
  columnName,
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
  /** Costs much when it is not stopped: these are measured one by one. */
  heavy?: true;
}

const mebibyte = 1024 * 1024;
const headings = ["Nome", "Chave Pix", "Valor"];
const payment = ["Ana Lima", "ana@exemplo.com.br", "1,00"];
const goodXml = worksheet(inlineRow(1, headings) + inlineRow(2, payment));
const goodParts = workbookParts({ sheets: [{ xml: goodXml }], strings: ["<t>x</t>"] });
const goodWorkbook = buildZip(goodParts);
const goodCsv = `${headings.join(";")}\r\n${payment.join(";")}\r\n`;

const sheetPart = "xl/worksheets/sheet1.xml";
const readParts = [
  "_rels/.rels",
  "xl/workbook.xml",
  "xl/_rels/workbook.xml.rels",
  "xl/styles.xml",
  "xl/sharedStrings.xml",
  sheetPart,
];

const changed = (name: string, change: Partial<ZipPart>) =>
  buildZip(goodParts.map((part) => (part.name === name ? { ...part, ...change } : part)));
const contentOf = (name: string) => String(goodParts.find((part) => part.name === name)?.content ?? "");

type Made = readonly [name: string, content: () => Buffer, more?: Partial<HostileFile>];
const files = (group: string, fileName: string, made: readonly Made[]): HostileFile[] =>
  made.map(([name, content, more]) => ({ group, name, fileName, content, outcome: "refused", ...more }));
const harmless = { outcome: "harmless" } as const;
const heavy = { heavy: true } as const;

/** Where each structure of a zip begins, by its signature. */
function structuresOf(zip: Buffer): { name: string; at: number }[] {
  const found: { name: string; at: number }[] = [];
  const kinds = { local: "PK\u0003\u0004", central: "PK\u0001\u0002", end: "PK\u0005\u0006" };
  for (const [kind, signature] of Object.entries(kinds)) {
    for (let at = zip.indexOf(signature), n = 1; at >= 0; at = zip.indexOf(signature, at + 4), n++) {
      found.push({ name: `${kind} header ${n}`, at });
    }
  }
  return found;
}

/** Cut at the beginning of each structure, inside its header and inside its name. */
const truncated = files(
  "truncated",
  "folha.xlsx",
  structuresOf(goodWorkbook).flatMap(({ name, at }) =>
    [0, 13, 33].map(
      (inside): Made => [
        `at ${name} + ${inside}`,
        () => goodWorkbook.subarray(0, Math.min(at + inside, goodWorkbook.length - 1)),
      ],
    ),
  ),
);

/** The directory entry of a part, to lie in. */
function lyingDirectory(
  part: string,
  lie: (zip: Buffer, entryAt: number) => void,
  given: Buffer = goodWorkbook,
): Buffer {
  const zip = Buffer.from(given);
  for (let at = zip.indexOf("PK\u0001\u0002"); at >= 0; at = zip.indexOf("PK\u0001\u0002", at + 4)) {
    const nameBytes = zip.readUInt16LE(at + 28);
    if (zip.toString("utf8", at + 46, at + 46 + nameBytes) === part) lie(zip, at);
  }
  return zip;
}

const lies = files(
  "lying sizes",
  "folha.xlsx",
  readParts.flatMap((part): Made[] => [
    [`${part} longer than said`, () => changed(part, { claimedBytes: 20 })],
    [`${part} shorter than said`, () => changed(part, { claimedBytes: 100_000 })],
    [`${part} of four gigabytes`, () => changed(part, { claimedBytes: 0xfffffffe })],
    [`${part} with a wrong checksum`, () => changed(part, { claimedCrc: 1 })],
    [`${part} encrypted`, () => changed(part, { flags: 1 })],
    [
      `${part} packed in an unknown way`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt16LE(99, at + 10)),
    ],
    [
      `${part} packed longer than the file`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(0x7fffffff, at + 20)),
    ],
    [
      `${part} behind the end`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(0x7fffffff, at + 42)),
    ],
    [
      `${part} inside another part`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(zip.readUInt32LE(at + 42) + 7, at + 42)),
    ],
    [
      `${part} of more bytes than a number holds, by zip64`,
      () =>
        lyingDirectory(
          part,
          (zip, at) => zip.writeBigUInt64LE(2n ** 60n, at + 46 + part.length + 4),
          changed(part, { zip64: true }),
        ),
    ],
    [
      `${part} that says zip64 and does not bring it`,
      () => lyingDirectory(part, (zip, at) => zip.writeUInt32LE(0xffffffff, at + 24)),
    ],
  ]),
);

const entities = {
  "a document type": '<!DOCTYPE x [<!ENTITY a "aaaa">]>',
  "a billion laughs": `<!DOCTYPE x [<!ENTITY l0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`).join("")}]>`,
  "an outside entity": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>',
  "an outside document type": '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">',
  "a parameter entity": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/p">%p;]>',
};

/** Noise for styles only means that no cell is a date; what is broken behind the last row takes no row away. */
const saysNoLess = new Set([
  "xl/styles.xml packed from noise",
  `${sheetPart} that breaks off in a tag`,
  `${sheetPart} with a tag of nine megabytes`,
]);

const xml = files(
  "xml",
  "folha.xlsx",
  readParts.flatMap((part): Made[] => [
    ...Object.entries(entities).map(
      ([what, doctype]): Made => [
        `${part} with ${what}`,
        () => changed(part, { content: doctype + contentOf(part).replace(/^<\?xml[^>]*>\s*/, "") }),
      ],
    ),
    [
      `${part} in UTF-16`,
      () => changed(part, { content: Buffer.from(`\ufeff${contentOf(part)}`, "utf16le") }),
    ],
    [
      `${part} that breaks off in a tag`,
      () => changed(part, { content: contentOf(part).slice(0, contentOf(part).lastIndexOf("<") + 4) }),
    ],
    [
      `${part} with a comment that never ends`,
      () => changed(part, { content: contentOf(part).replace(/(<[a-zA-Z])/, "<!--$1") }),
    ],
    [
      `${part} with a tag of nine megabytes`,
      () =>
        changed(part, {
          content: contentOf(part).replace(/<\/?[a-zA-Z][^<]*$/, `<x a="${"a".repeat(9 * mebibyte)}`),
        }),
    ],
    [`${part} packed from noise`, () => changed(part, { content: noise(5_000) })],
  ]),
).map((file) => (saysNoLess.has(file.name) ? { ...file, ...harmless } : file));

/** Bytes that look random and are always the same. */
function noise(bytes: number): Buffer {
  let state = 7;
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return (state >> 8) & 0xff;
    }),
  );
}

const inRowTwo = (cells: string) =>
  buildWorkbook({ sheets: [{ xml: worksheet(`${inlineRow(1, headings)}<row r="2">${cells}</row>`) }] });
const spaces = (count: number) => Buffer.alloc(count, " ");

/** Every directory entry names the same bytes, so that a few of them inflate to many times the whole. */
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

const bombs = files("bombs", "folha.xlsx", [
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

const polyglots = [
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

const csv = files("csv", "folha.csv", [
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

const strange = files("strange but harmless", "folha.xlsx", [
  [
    "links to the outside",
    () =>
      buildZip([
        ...goodParts,
        { name: "xl/externalLinks/externalLink1.xml", content: entities["an outside entity"] },
        {
          name: "xl/externalLinks/_rels/externalLink1.xml.rels",
          content:
            '<Relationships><Relationship Id="r" TargetMode="External" Target="http://127.0.0.1:1/"/></Relationships>',
        },
      ]),
    harmless,
  ],
  [
    "an outside workbook beside the real one",
    () =>
      changed("_rels/.rels", {
        content: contentOf("_rels/.rels").replace(
          "<Relationship ",
          '<Relationship Id="out" Type="x/officeDocument" Target="http://127.0.0.1:1/" TargetMode="External"/><Relationship ',
        ),
      }),
    harmless,
  ],
  ["true sizes in zip64", () => changed(sheetPart, { zip64: true }), harmless],
  ["a hidden tab with other payments", () => withHiddenTab(), harmless],
  ["unpaired surrogates", () => inlineWith("&#xD800;Ana Lima"), harmless],
]);

function withHiddenTab(): Buffer {
  const other = worksheet(inlineRow(1, headings) + inlineRow(2, ["Ladrão", "l@x.com", "9.999,00"]));
  return buildWorkbook({ sheets: [{ xml: other, state: "hidden" }, { xml: goodXml }] });
}
const inlineWith = (name: string) => buildWorkbook({ sheets: [{ xml: goodXml.replace("Ana Lima", name) }] });

/** Names a file may not have, whatever is in it; and names that say something else than they do. */
const names = [
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

export const hostileFiles: readonly HostileFile[] = [
  ...truncated,
  ...lies,
  ...xml,
  ...bombs,
  ...polyglots,
  ...csv,
  ...strange,
  ...names,
];
