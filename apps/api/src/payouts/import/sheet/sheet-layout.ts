import type { SheetField } from "@malote/contracts/import";

export type SheetKind = "transfer" | "transfer-pix" | "billet";

/** What a person said of a column: the field it holds, or null for none. By position, counted from 0. */
export type ColumnChoice = Readonly<Record<number, SheetField | null>>;

/** One column as it was understood, for the person to see and to change. */
export interface ReadColumn {
  column: number;
  heading: string;
  field: SheetField | null;
  /** What it might hold, where several columns might and a person has to say which. */
  may_be: SheetField | null;
  /** Its first cells. */
  sample: string[];
}

/** How the columns of a sheet were understood. */
export interface SheetLayout {
  /** Identifies this set of headings, so that a choice is remembered for it. */
  key: string;
  kind: SheetKind;
  columns: ReadColumn[];
}
