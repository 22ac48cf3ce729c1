/** Returns the only row of a query that always has one: a sum, a count, an EXISTS. */
export function onlyRow<Row>({ rows }: { rows: Row[] }): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`one row expected, got ${rows.length}`);
  return row;
}
