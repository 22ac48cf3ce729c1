/**
 * Compares the rows below those that decided what the columns hold with the decision, as they pass: a column that is
 * something else further down must not be misread unnoticed.
 */
import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import type { SheetRow } from "@malote/sheet-reader/sheet-row";
import { areAccountTypes, countType } from "./column-contents.ts";
import type { SheetHeadings } from "./headings.ts";
import { addSample, isFull, namelessHeading } from "./read-columns.ts";
import { uneven } from "./refusal.ts";
import type { ReadColumn, SheetLayout } from "./sheet-layout.ts";

export interface RestWatch {
  see(rows: readonly SheetRow[]): void;
  /** Throws a refusal with the columns where the whole column contradicts the decision. */
  end(): void;
  /** Returns the columns with the cells seen so far. */
  layout(): SheetLayout;
}

export function watchRest({ texts, columnOf, kind, typeCounts, layout }: SheetHeadings): RestWatch {
  // A type of account means nothing without an account.
  const counts = kind === "billet" || columnOf.account === undefined ? [] : [...typeCounts];
  const typesBefore = new Map(counts.map(([column, count]) => [column, areAccountTypes(count)]));
  const columns: ReadColumn[] = layout.columns.map((column) => ({ ...column, sample: [...column.sample] }));
  const known = new Set(columns.map(({ column }) => column));
  let sampled = columns.filter(({ sample }) => !isFull(sample));
  let width = texts.length;
  const unnamed = new Set([...texts.keys()].filter((column) => texts[column] === "" && !known.has(column)));

  function seeRow(row: SheetRow): void {
    for (const [column, count] of counts) countType(count, row, column);
    for (; width < row.texts.length; width++) if (!known.has(width)) unnamed.add(width);
    for (const column of unnamed) {
      if ((row.texts[column]?.trim() ?? "") === "") continue;
      unnamed.delete(column);
      const found = { column, heading: namelessHeading(column), field: null, may_be: null, sample: [] };
      columns.push(found);
      sampled.push(found);
    }
    if (sampled.length === 0) return;
    let isAnyFull = false;
    for (const { column, sample } of sampled) if (addSample(sample, row, column)) isAnyFull = true;
    if (isAnyFull) sampled = sampled.filter(({ sample }) => !isFull(sample));
  }
  const now = (): SheetLayout => ({
    ...layout,
    columns: columns.toSorted((left, right) => left.column - right.column),
  });
  return {
    see: (rows) => {
      for (const row of rows) seeRow(row);
    },
    end: () => {
      for (const [column, count] of counts) {
        if (areAccountTypes(count) === typesBefore.get(column)) continue;
        const heading = removeFormulaGuard(texts[column] ?? "") || namelessHeading(column);
        const uncertain = now().columns.map((one) =>
          one.column === column ? { ...one, field: null, may_be: "accountType" as const } : one,
        );
        throw uneven(heading, { ...layout, columns: uncertain });
      }
    },
    layout: now,
  };
}
