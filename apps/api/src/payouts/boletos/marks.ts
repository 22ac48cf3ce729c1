/**
 * What a person typed over the boleto of a sheet: its code, which is who is paid, and the value where neither the code nor its register
 * sets one. The day and the description say nothing of whom or how much.
 */
import { type BoletoDraft, type Moment, priceOf, storableBoleto } from "@malote/domain/boleto";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { currentMarks, type DataMark, withMarks } from "@malote/domain/data-marks";
import type { Actor } from "../../platform/auth/actor.ts";
import type { BoletoRow, BoletoToWrite } from "./store.ts";

const fields = ["barcode", "value"] as const;
type Field = (typeof fields)[number];

const held = (draft: Pick<BoletoDraft, Field>, field: string): string | null => {
  const value = field === "barcode" || field === "value" ? draft[field] : null;
  return value === null ? null : String(value);
};

const stored = ({ draft, register }: BoletoToWrite, moment: Moment) =>
  storableBoleto(draft, moment.today, { ...moment, register });

/** The marks that hold of it as it is to be written. */
export const marksKept = (row: BoletoRow, boleto: BoletoToWrite, moment: Moment): DataMark[] =>
  currentMarks(row.data_marks ?? [], (field) => held(stored(boleto, moment), field));

/** Saved again from a form or by a program. */
export function marksAfter(
  row: BoletoRow,
  boleto: BoletoToWrite,
  moment: Moment,
  { by, now }: { by: Pick<Actor, "id" | "name">; now: Date },
): DataMark[] {
  const after = stored(boleto, moment);
  const isOtherCode = row.barcode !== after.barcode;
  const typed: readonly Field[] = isOtherCode || isPriceTyped(boleto, moment) ? fields : ["barcode"];
  const added = typed
    .filter((field) => row.sheet_row !== null && held(row, field) !== held(after, field))
    .map((field) => ({
      field,
      origin: "changed" as const,
      // What could not be read is kept by its complaint alone.
      before: held(row, field) ?? row.errors?.find((issue) => issue.field === field)?.given ?? null,
      after: held(after, field),
      by: { id: by.id, name: by.name },
      at: now.toISOString(),
    }));
  const anew = added.map(({ field }) => field);
  return withMarks(
    currentMarks(row.data_marks ?? [], (field) => held(after, field), anew),
    added,
  );
}

function isPriceTyped({ draft, register }: BoletoToWrite, moment: Moment): boolean {
  const ofCode = readBoletoCode(draft.barcode ?? "", moment.today)?.value ?? null;
  return ofCode === null && priceOf(draft, moment, register) === undefined;
}
