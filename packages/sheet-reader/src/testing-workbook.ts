import { crc32, deflateRawSync } from "node:zlib";

/**
 * Builds workbooks byte by byte for tests and measurements, so that tests can reproduce exactly the shapes of Excel,
 * LibreOffice, Google and hostile authors.
 */
export interface ZipPart {
  name: string;
  content: string | Buffer;
  stored?: boolean;
  /** Values that the directory claims instead of the true ones. */
  claimedBytes?: number;
  claimedCrc?: number;
  flags?: number;
  zip64?: boolean;
}

export function buildZip(parts: ZipPart[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const packed = part.stored ? content : deflateRawSync(content, { level: 6 });
    const name = Buffer.from(part.name);
    const crc = part.claimedCrc ?? crc32(content);
    const bytes = part.claimedBytes ?? content.length;

    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(part.flags ?? 0, 6);
    local.writeUInt16LE(part.stored ? 0 : 8, 8);
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(bytes, 22);
    local.writeUInt16LE(name.length, 26);
    files.push(local, name, packed);

    const extra = part.zip64 ? zip64Extra(bytes, packed.length) : Buffer.alloc(0);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(part.flags ?? 0, 8);
    central.writeUInt16LE(part.stored ? 0 : 8, 10);
    central.writeUInt32LE(crc, 16);
    central.writeUInt32LE(part.zip64 ? 0xffffffff : packed.length, 20);
    central.writeUInt32LE(part.zip64 ? 0xffffffff : bytes, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(offset, 42);
    directory.push(central, name, extra);
    offset += local.length + name.length + packed.length;
  }
  const directoryBytes = directory.reduce((sum, piece) => sum + piece.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

function zip64Extra(bytes: number, packedBytes: number): Buffer {
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(bytes), 4);
  extra.writeBigUInt64LE(BigInt(packedBytes), 12);
  return extra;
}

const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const sheetNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export interface WorkbookShape {
  sheets: { name?: string; xml: string; state?: string }[];
  /** The content of each `<si>`. */
  strings?: string[];
  /** Format codes of the cell styles; style 0 is General. A number is a builtin format. */
  formats?: (string | number)[];
  date1904?: boolean;
  extraParts?: ZipPart[];
}

/** Returns a workbook with Excel's own part names around the given worksheets. */
export function buildWorkbook(shape: WorkbookShape): Buffer {
  return buildZip([...workbookParts(shape), ...(shape.extraParts ?? [])]);
}

export function workbookParts({ sheets, strings, formats = [], date1904 }: WorkbookShape): ZipPart[] {
  const relations = sheets.map((_, index) =>
    relation(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`),
  );
  relations.push(relation("rIdStyles", "styles", "styles.xml"));
  if (strings !== undefined) relations.push(relation("rIdStrings", "sharedStrings", "sharedStrings.xml"));
  const tabs = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}"${state ? ` state="${state}"` : ""} r:id="rId${index + 1}"/>`,
  );
  const types = [
    contentType("xl/workbook.xml", "sheet.main"),
    ...sheets.map((_, index) => contentType(`xl/worksheets/sheet${index + 1}.xml`, "worksheet")),
    contentType("xl/styles.xml", "styles"),
    contentType("xl/sharedStrings.xml", "sharedStrings"),
  ];
  const parts: ZipPart[] = [
    {
      name: "[Content_Types].xml",
      content: `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types.join("")}</Types>`,
    },
    { name: "_rels/.rels", content: relationsPart([relation("rId1", "officeDocument", "xl/workbook.xml")]) },
    {
      name: "xl/workbook.xml",
      content: `${declaration}<workbook xmlns="${sheetNamespace}" xmlns:r="${officeRelations}"><workbookPr${date1904 ? ' date1904="1"' : ""}/><sheets>${tabs.join("")}</sheets></workbook>`,
    },
    { name: "xl/_rels/workbook.xml.rels", content: relationsPart(relations) },
    { name: "xl/styles.xml", content: stylesPart(formats) },
  ];
  if (strings !== undefined) {
    parts.push({
      name: "xl/sharedStrings.xml",
      content: `${declaration}<sst xmlns="${sheetNamespace}" count="${strings.length}" uniqueCount="${strings.length}">${strings.map((inside) => `<si>${inside}</si>`).join("")}</sst>`,
    });
  }
  for (const [index, { xml }] of sheets.entries())
    parts.push({ name: `xl/worksheets/sheet${index + 1}.xml`, content: xml });
  return parts;
}

/**
 * Returns the content type of a part. This reader finds parts by their relations; other readers use the content types.
 */
const contentType = (path: string, kind: string) =>
  `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;

/** Returns a worksheet part around the content of `<sheetData>`. */
export function worksheet(rows: string, after = ""): string {
  return `${declaration}<worksheet xmlns="${sheetNamespace}"><dimension ref="A1"/><sheetData>${rows}</sheetData>${after}</worksheet>`;
}

/** Returns a row with inline texts, the form that most libraries write. */
export function inlineRow(sheetRow: number, texts: readonly string[]): string {
  const cells = texts.map((text, column) =>
    text === ""
      ? ""
      : `<c r="${columnName(column)}${sheetRow}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`,
  );
  return `<row r="${sheetRow}">${cells.join("")}</row>`;
}

export function inlineWorkbook(rows: readonly (readonly string[])[]): Buffer {
  const xml = worksheet(rows.map((texts, index) => inlineRow(index + 1, texts)).join(""));
  return buildWorkbook({ sheets: [{ xml }] });
}

export function columnName(column: number): string {
  return column < 26
    ? String.fromCharCode(65 + column)
    : columnName(Math.floor(column / 26) - 1) + columnName(column % 26);
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${officeRelations}/${type}" Target="${target}"/>`;
}

function relationsPart(relations: string[]): string {
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join("")}</Relationships>`;
}

function stylesPart(formats: (string | number)[]): string {
  const custom = formats.flatMap((format, index) =>
    typeof format === "string"
      ? [`<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(format).replaceAll('"', "&quot;")}"/>`]
      : [],
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === "string" ? 164 + index : format}"/>`,
  );
  return `${declaration}<styleSheet xmlns="${sheetNamespace}"><numFmts count="${custom.length}">${custom.join("")}</numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join("")}</cellXfs></styleSheet>`;
}

/** Collects all items of an asynchronous generator. */
export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}
