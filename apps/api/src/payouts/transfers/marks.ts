/** Marks of a transfer's fields after a form saved it, and after a bulk correction. */
import type { DataMark } from "@malote/domain/data-marks";
import { type TransferDraft, transferFieldOf } from "@malote/domain/transfer-fields";
import { type Change, type ChangedFields, marksOfChange } from "../payment-marks.ts";
import { draftOf, type TransferRow } from "./store.ts";

const held = (draft: TransferDraft, field: string): string | null => {
  const name = transferFieldOf[field];
  const value = name === undefined ? null : draft[name];
  return value === null ? null : String(value);
};

/** Returns the marks after a change of these fields. */
export function marksAfterChange(
  row: TransferRow,
  after: TransferDraft,
  changes: readonly ChangedFields[],
  change: Change,
): DataMark[] {
  const before = draftOf(row);
  const texts = {
    before: (field: string) => held(before, field),
    after: (field: string) => held(after, field),
  };
  return marksOfChange(row, texts, changes, change);
}

/**
 * Returns the marks after a form saved the payment: an accepted suggestion is marked, and a typed value is no guess. A
 * value typed over that of a sheet is marked too.
 */
export function marksAfterSave(row: TransferRow, after: TransferDraft, change: Change): DataMark[] {
  const proposed = (row.errors ?? []).flatMap(({ suggestion }) => Object.entries(suggestion ?? {}));
  const taken = proposed.filter(([field, value]) => held(after, field) === value).map(([field]) => field);
  const typed =
    row.sheet_row === null ? [] : Object.keys(transferFieldOf).filter((field) => !taken.includes(field));
  const changes: ChangedFields[] = [
    { fields: taken, origin: "suggested" },
    { fields: typed, origin: "changed" },
  ];
  return marksAfterChange(row, after, changes, change);
}
