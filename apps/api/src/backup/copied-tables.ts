/** Lists the tables of a backup in an order in which a row follows the rows it references. */
import type pg from "pg";

export interface BackedUpTable {
  /** Name as `schema.table`, quoted for SQL. */
  name: string;
  /** Quoted columns, without generated ones. */
  columns: string[];
}

/** Schemas of the product, the sandbox network and the queue, whose jobs are pending work. */
const schemas = ["public", "sandbox", "pgboss"];
/** Tables that preparing the database fills, before rows are restored. */
const notCopied = ["public.migrations", "pgboss.version"];

export async function listTables(client: pg.ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers_to: string[] }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name,
       array(SELECT quote_ident(a.attname) FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
             ORDER BY a.attnum) AS columns,
       array(SELECT DISTINCT format('%I.%I', fn.nspname, f.relname)
             FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS refers_to
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND format('%I.%I', n.nspname, c.relname) <> ALL($2)
     ORDER BY 1`,
    [schemas, notCopied],
  );
  const known = new Set(rows.map((row) => row.name));
  const ordered: BackedUpTable[] = [];
  const placed = new Set<string>();
  let left = rows;
  while (left.length > 0) {
    const ready = left.filter((row) => row.refers_to.every((name) => placed.has(name) || !known.has(name)));
    if (ready.length === 0) throw new Error(`tables refer to each other: ${left.map((row) => row.name)}`);
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      placed.add(name);
    }
    left = left.filter((row) => !placed.has(row.name));
  }
  return ordered;
}

/** Settings of each connection before use, so that values have the same text on every server. */
export const sameTexts =
  "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET client_encoding = 'UTF8'";

export interface TableSum {
  rows: number;
  /** Sum of the hashes of all rows, independent of their order. */
  hash: string;
}

export async function sumTable(client: pg.ClientBase, { name, columns }: BackedUpTable): Promise<TableSum> {
  const { rows } = await client.query<TableSum>(
    `SELECT count(*)::int AS rows, coalesce(sum(hash_record_extended(ROW(${columns.map((column) => `t.${column}::text`).join(", ")}), 0)::numeric), 0)::text AS hash
     FROM ${name} t`,
  );
  const [sum] = rows;
  if (!sum) throw new Error(`no sum of ${name}`);
  return sum;
}
