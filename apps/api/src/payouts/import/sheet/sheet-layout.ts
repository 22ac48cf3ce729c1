import type { SheetField } from "@malote/contracts/import";

export type SheetKind = "transfer" | "transfer-pix" | "billet";

/** Choice by column position, counted from 0: the field that the column holds, or null for none. */
export type ColumnChoice = Readonly<Record<number, SheetField | null>>;

/** Column as the reader understood it, for a person to see and to change. */
export interface ReadColumn {
  column: number;
  heading: string;
  field: SheetField | null;
  /** Field that the column may hold, when several columns may and a person must decide. */
  may_be: SheetField | null;
  /** First cells of the column. */
  sample: string[];
}

/** Columns of a sheet as the reader understood them. */
export interface SheetLayout {
  /** Identifier of this set of headings, under which a choice is remembered. */
  key: string;
  kind: SheetKind;
  columns: ReadColumn[];
}
