/** Which fields of a payment a person should still confirm, and why (data_marks). */
import { currentMarks, type DataMark, type MarkOrigin, withMarks } from "@malote/domain/data-marks";
import { type TransferDraft, transferFieldOf } from "@malote/domain/transfer";
import type { Actor } from "../../platform/auth/actor.ts";
import { draftOf, type TransferRow } from "./store.ts";

type Who = Pick<Actor, "id" | "name">;

const held = (draft: TransferDraft, field: string): string | null => {
  const name = transferFieldOf[field];
  const value = name === undefined ? null : draft[name];
  return value === null ? null : String(value);
};

/** The marks of a payment whose fields got another value by this change, beside those that are still there. */
export function marksOfChange(
  row: TransferRow,
  after: TransferDraft,
  changed: { fields: readonly string[]; origin: MarkOrigin },
  by: Who,
  now: Date,
): DataMark[] {
  const before = draftOf(row);
  const added = changed.fields
    .filter((field) => held(before, field) !== held(after, field))
    .map((field) => ({
      field,
      origin: changed.origin,
      // What could not be read is kept by its complaint alone.
      before: held(before, field) ?? row.errors?.find((issue) => issue.field === field)?.given ?? null,
      after: held(after, field),
      by: { id: by.id, name: by.name },
      at: now.toISOString(),
    }));
  return withMarks(
    currentMarks(row.data_marks ?? [], (field) => held(after, field)),
    added,
  );
}

/** Saved again from a form: an accepted proposal is marked, and a typed value is not a guess. */
export function marksAfter(row: TransferRow, after: TransferDraft, by: Who, now: Date): DataMark[] {
  const proposed = (row.errors ?? []).flatMap(({ suggestion }) => Object.entries(suggestion ?? {}));
  const taken = proposed.filter(([field, value]) => held(after, field) === value).map(([field]) => field);
  return marksOfChange(row, after, { fields: taken, origin: "suggested" }, by, now);
}
