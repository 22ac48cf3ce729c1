/**
 * Fields whose change over the boleto of a sheet is marked: the code, which identifies the payee, and the value where
 * neither the code nor the register sets one. Date and description are not marked: they affect neither payee nor
 * amount.
 */
import { type BoletoDraft, type Moment, priceOf, storableBoleto } from "@malote/domain/boleto";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { currentMarks, type DataMark } from "@malote/domain/data-marks";
import { type Change, marksOfChange } from "../payment-marks.ts";
import type { BoletoRow, BoletoToWrite } from "./store.ts";

const fields = ["barcode", "value"] as const;
type Field = (typeof fields)[number];

const held = (draft: Pick<BoletoDraft, Field>, field: string): string | null => {
  const value = field === "barcode" || field === "value" ? draft[field] : null;
  return value === null ? null : String(value);
};

const stored = ({ draft, register }: BoletoToWrite, moment: Moment) =>
  storableBoleto(draft, moment.today, { ...moment, register });

/** Returns the marks that still apply to the boleto as it will be written. */
export const marksKept = (row: BoletoRow, boleto: BoletoToWrite, moment: Moment): DataMark[] =>
  currentMarks(row.data_marks ?? [], (field) => held(stored(boleto, moment), field));

/** Returns the marks after a form or a program saved the boleto again. */
export function marksAfterSave(
  row: BoletoRow,
  boleto: BoletoToWrite,
  moment: Moment,
  change: Change,
): DataMark[] {
  const after = stored(boleto, moment);
  const isOtherCode = row.barcode !== after.barcode;
  const typed: readonly Field[] = isOtherCode || isPriceTyped(boleto, moment) ? fields : ["barcode"];
  const texts = {
    before: (field: string) => held(row, field),
    after: (field: string) => held(after, field),
  };
  return marksOfChange(
    row,
    texts,
    [{ fields: row.sheet_row === null ? [] : typed, origin: "changed" }],
    change,
  );
}

function isPriceTyped({ draft, register }: BoletoToWrite, moment: Moment): boolean {
  const ofCode = readBoletoCode(draft.barcode ?? "", moment.today)?.value ?? null;
  return ofCode === null && priceOf(draft, moment, register) === undefined;
}
