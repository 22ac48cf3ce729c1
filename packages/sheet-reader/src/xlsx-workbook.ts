import type { FileLimits } from "./limits.ts";
import { readPart, type ZipEntry, type ZipFile } from "./read-zip.ts";
import { wrongFormat } from "./sheet-file-error.ts";
import { isDateFormat } from "./xlsx-dates.ts";
import { readTags } from "./xml-tags.ts";

export interface Workbook {
  /** Visible worksheets in the order of their tabs. */
  worksheets: ZipEntry[];
  sharedStrings: ZipEntry | undefined;
  /** True, by style number of a cell, when the style shows a day. */
  dateStyles: boolean[];
  from1904: boolean;
}

interface Relation {
  type: string;
  path: string;
}

/** Finds the parts through their relations, because only Excel's own files always use the same names. */
export async function readWorkbook(zip: ZipFile, limits: FileLimits): Promise<Workbook> {
  const roots = await readRelations(zip, "", limits);
  const workbookPath = [...roots.values()].find((relation) => relation.type === "officeDocument")?.path;
  const workbookEntry = workbookPath === undefined ? undefined : zip.entries.get(workbookPath);
  if (workbookPath === undefined || workbookEntry === undefined) throw wrongFormat();

  const relations = await readRelations(zip, workbookPath, limits);
  const entryOf = (type: string) => {
    const path = [...relations.values()].find((relation) => relation.type === type)?.path;
    return path === undefined ? undefined : zip.entries.get(path);
  };
  const { sheetIds, from1904 } = readSheets(
    await readPart(zip, workbookEntry, limits.smallPartBytesMax, limits),
  );
  const worksheets: ZipEntry[] = [];
  for (const id of sheetIds) {
    const relation = relations.get(id);
    const entry = relation?.type === "worksheet" ? zip.entries.get(relation.path) : undefined;
    // A tab may also be a chart, which has no rows.
    if (entry !== undefined) worksheets.push(entry);
  }

  const styles = entryOf("styles");
  return {
    worksheets,
    sharedStrings: entryOf("sharedStrings"),
    dateStyles:
      styles === undefined ? [] : readStyles(await readPart(zip, styles, limits.smallPartBytesMax, limits)),
    from1904,
  };
}

/**
 * Reads the relations of a part: those of `xl/workbook.xml` are in `xl/_rels/workbook.xml.rels`, those of the package
 * in `_rels/.rels`.
 */
async function readRelations(
  zip: ZipFile,
  ofPath: string,
  limits: FileLimits,
): Promise<Map<string, Relation>> {
  const slashAt = ofPath.lastIndexOf("/");
  const folder = ofPath.slice(0, slashAt + 1);
  const entry = zip.entries.get(`${folder}_rels/${ofPath.slice(slashAt + 1)}.rels`);
  if (entry === undefined) throw wrongFormat();

  const relations = new Map<string, Relation>();
  for (const { name, attributes, closes } of readTags(
    await readPart(zip, entry, limits.smallPartBytesMax, limits),
  )) {
    if (name !== "Relationship" || closes) continue;
    // External targets are never followed.
    if (attributes.get("TargetMode") === "External") continue;
    const type = attributes.get("Type") ?? "";
    const target = (attributes.get("Target") ?? "").toLowerCase();
    relations.set(attributes.get("Id") ?? "", {
      // Strict and transitional files differ only in the part before the last slash.
      type: type.slice(type.lastIndexOf("/") + 1),
      path: target.startsWith("/") ? target.slice(1) : folder + target.replace(/^\.\//, ""),
    });
  }
  return relations;
}

function readSheets(part: Buffer): { sheetIds: string[]; from1904: boolean } {
  const sheetIds: string[] = [];
  let from1904 = false;
  for (const { name, attributes, closes } of readTags(part)) {
    if (closes) continue;
    if (name === "workbookPr") from1904 = /^(1|true|on)$/.test(attributes.get("date1904") ?? "");
    if (name === "sheet" && (attributes.get("state") ?? "visible") === "visible") {
      sheetIds.push(attributes.get("id") ?? "");
    }
  }
  return { sheetIds, from1904 };
}

function readStyles(part: Buffer): boolean[] {
  const codes = new Map<number, string>();
  const dateStyles: boolean[] = [];
  let inCellStyles = false;
  for (const { name, attributes, closes } of readTags(part)) {
    if (name === "cellXfs") inCellStyles = !closes;
    if (closes) continue;
    if (name === "numFmt") codes.set(Number(attributes.get("numFmtId")), attributes.get("formatCode") ?? "");
    if (name === "xf" && inCellStyles) {
      const id = Number(attributes.get("numFmtId") ?? 0);
      dateStyles.push(isDateFormat(id, codes.get(id)));
    }
  }
  return dateStyles;
}
