/** Fields of a payment that a person should still confirm, with the reason (data_marks). */
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

interface Changed {
  fields: readonly string[];
  origin: MarkOrigin;
}

/**
 * Returns the marks of a payment after a change: new ones for fields with another value, beside those that still apply.
 */
export function marksOfChange(
  row: TransferRow,
  after: TransferDraft,
  changes: readonly Changed[],
  by: Who,
  now: Date,
): DataMark[] {
  const before = draftOf(row);
  const added = changes.flatMap(({ fields, origin }) =>
    fields
      .filter((field) => held(before, field) !== held(after, field))
      .map((field) => ({
        field,
        origin,
        // An unreadable cell is stored only in its issue.
        before: held(before, field) ?? row.errors?.find((issue) => issue.field === field)?.given ?? null,
        after: held(after, field),
        by: { id: by.id, name: by.name },
        at: now.toISOString(),
      })),
  );
  // A field that is marked again keeps its first previous value, whatever it holds now.
  const current = currentMarks(
    row.data_marks ?? [],
    (field) => held(after, field),
    added.map(({ field }) => field),
  );
  return withMarks(current, added);
}

/**
 * Returns the marks after a form saved the payment: an accepted suggestion is marked, and a typed value is no guess. A
 * value typed over that of a sheet is marked too.
 */
export function marksAfter(row: TransferRow, after: TransferDraft, by: Who, now: Date): DataMark[] {
  const proposed = (row.errors ?? []).flatMap(({ suggestion }) => Object.entries(suggestion ?? {}));
  const taken = proposed.filter(([field, value]) => held(after, field) === value).map(([field]) => field);
  const typed =
    row.sheet_row === null ? [] : Object.keys(transferFieldOf).filter((field) => !taken.includes(field));
  const changes: Changed[] = [
    { fields: taken, origin: "suggested" },
    { fields: typed, origin: "changed" },
  ];
  return marksOfChange(row, after, changes, by, now);
}
