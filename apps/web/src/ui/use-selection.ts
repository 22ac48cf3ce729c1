import { useState } from "react";

/** Ticked rows of a page. `choosable` are the rows that may be ticked now: a row may have changed meanwhile. */
export function useSelection<Row extends { id: string }>(choosable: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = choosable.filter(({ id }) => ids.has(id));
  return {
    selected,
    isAll: choosable.length > 0 && selected.length === choosable.length,
    isSelected: (row: Row) => selected.includes(row),
    select: (row: Row, isSelected: boolean) =>
      setIds((before) => {
        const next = new Set(before);
        if (isSelected) next.add(row.id);
        else next.delete(row.id);
        return next;
      }),
    clear: () => setIds(new Set()),
    selectAll: (all: boolean) => setIds(new Set(all ? choosable.map(({ id }) => id) : [])),
  };
}
