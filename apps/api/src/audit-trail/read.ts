import type * as contracts from "@malote/contracts/audit-trail";
import { listActors, readNames } from "../identities/index.ts";
import { readBatchNames } from "../payouts/index.ts";
import { pageOf, readCursor } from "../platform/db/cursor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { type EntryRow, findEntries } from "./store.ts";
import { batchesIn, changesOf, factsOfEntry, objectOf, peopleIn } from "./words.ts";

const rowsShown = 50;

export async function listAuditTrail(tx: Tx, { query }: Call<typeof contracts.listAuditTrail>) {
  const { page_cursor, ...filters } = query;
  const cursor = readCursor(page_cursor);
  const found = await findEntries(tx, filters, cursor, rowsShown);
  const { rows, meta } = pageOf(found, rowsShown, cursor, ({ at, id }) => ({ at, id }));
  const [names, batches] = await Promise.all([
    readNames(tx, peopleIn(rows)),
    readBatchNames(tx, batchesIn(rows)),
  ]);
  return { items: rows.map((row) => entryOf(row, names, batches)), meta };
}

const entryOf = (
  row: EntryRow,
  names: ReadonlyMap<string, string>,
  batches: ReadonlyMap<string, string>,
): contracts.AuditEntry => ({
  id: row.id,
  seq: row.seq,
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, name: row.actor_name },
  action: row.action,
  object: objectOf(row.action),
  subject_id: row.subject_id,
  subject_name: batches.get(row.subject_id ?? "") ?? null,
  changes: changesOf(row, names),
  facts: factsOfEntry(row),
  request_id: row.request_id,
});

export async function readActors(tx: Tx) {
  return { data: await listActors(tx) };
}
