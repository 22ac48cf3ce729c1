/** Queries for entries of the audit trail and their links. */
import type { AuditTrailFilters } from "@malote/contracts/audit-trail";
import { type AuditChanges, auditActionNames, auditActions } from "@malote/domain/audit-trail";
import { addDays, type CalendarDate, startOfDay } from "@malote/domain/calendar";
import { type RawBuilder, sql } from "kysely";
import { systemNames } from "../platform/audit.ts";
import { type Cursor, cutPage } from "../platform/db/cursor.ts";
import type { Tx } from "../platform/db/database.ts";

export interface EntryRow {
  id: string;
  at: Date;
  actor_kind: "user" | "machine" | "system";
  actor_name: string;
  action: string;
  subject_id: string | null;
  detail: { changes?: AuditChanges } & Record<string, unknown>;
  request_id: string | null;
  seq: number;
  hash: string;
}

/**
 * Older rows store the product's name for the system; they show the neutral name, because a company may use another
 * brand.
 */
const shownName = sql`CASE WHEN e.actor_kind = 'system' AND e.actor_name = 'Malote' THEN ${systemNames.system} ELSE e.actor_name END`;

function byActor(actor: NonNullable<AuditTrailFilters["actor_id"]>): RawBuilder<unknown> {
  if (actor !== "system" && actor !== "operator") return sql`e.actor_id = ${actor}::uuid`;
  return sql`e.actor_kind = 'system' AND ${shownName} = ${systemNames[actor]}`;
}

function conditions({
  actor_id,
  action,
  object,
  subject_id,
  ...days
}: AuditTrailFilters): RawBuilder<unknown> {
  const from = days.from as CalendarDate | undefined;
  const until = days.until as CalendarDate | undefined;
  const actions = object && auditActionNames.filter((name) => auditActions[name].object === object);
  return sql.join(
    [
      sql`true`,
      ...(actor_id ? [byActor(actor_id)] : []),
      ...(action ? [sql`e.action = ${action}`] : []),
      ...(actions ? [sql`e.action = ANY(${actions})`] : []),
      ...(subject_id ? [sql`e.subject_id = ${subject_id}`] : []),
      ...(from ? [sql`e.at >= ${startOfDay(from)}`] : []),
      ...(until ? [sql`e.at < ${startOfDay(addDays(until, 1))}`] : []),
    ],
    sql` AND `,
  );
}

/** Returns entries from the cursor on, one more than the page shows. */
export async function findEntries(
  tx: Tx,
  filters: AuditTrailFilters,
  cursor: Cursor | undefined,
  size: number,
): Promise<EntryRow[]> {
  const { behind, order } = cutPage(cursor, size, sql`e.at`, sql`e.id`);
  const { rows } = await sql<EntryRow>`
    SELECT e.id, e.at, e.actor_kind, ${shownName} AS actor_name, e.action, e.subject_id, e.detail, e.request_id,
      c.seq, encode(c.hash, 'hex') AS hash
    FROM audit_entries e
    JOIN audit_chain c ON c.company_id = e.company_id AND c.entry_id = e.id
    WHERE e.company_id = ${tx.companyId} AND ${conditions(filters)} AND ${behind} ${order}
  `.execute(tx);
  return rows;
}
