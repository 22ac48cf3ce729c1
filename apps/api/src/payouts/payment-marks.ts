/** Fields of a payment that a person should still confirm, with the reason (data_marks). */
import { currentMarks, type DataMark, type MarkOrigin, withMarks } from "@malote/domain/data-marks";
import type { Actor } from "../platform/auth/actor.ts";
import type { StoredIssue } from "./payment-columns.ts";

/** Returns the value of a field as a text; null when it has none. */
type FieldText = (field: string) => string | null;

interface MarkedRow {
  data_marks: readonly DataMark[] | null;
  errors: readonly StoredIssue[] | null;
}

export interface ChangedFields {
  fields: readonly string[];
  origin: MarkOrigin;
}

/** Person or program that changes a payment, and when. */
export interface Change {
  by: Pick<Actor, "id" | "name">;
  now: Date;
}

/**
 * Returns the marks of a payment after a change: new ones for fields with another value, beside those that still apply.
 */
export function marksOfChange(
  row: MarkedRow,
  { before, after }: { before: FieldText; after: FieldText },
  changes: readonly ChangedFields[],
  { by, now }: Change,
): DataMark[] {
  const added = changes.flatMap(({ fields, origin }) =>
    fields
      .filter((field) => before(field) !== after(field))
      .map((field) => ({
        field,
        origin,
        // An unreadable cell is stored only in its issue.
        before: before(field) ?? row.errors?.find((issue) => issue.field === field)?.given ?? null,
        after: after(field),
        by: { id: by.id, name: by.name },
        at: now.toISOString(),
      })),
  );
  // A field that is marked again keeps its first previous value, whatever it holds now.
  const markedAgain = added.map(({ field }) => field);
  return withMarks(currentMarks(row.data_marks ?? [], after, markedAgain), added);
}
