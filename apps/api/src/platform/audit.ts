/**
 * Audit entries, written in the transaction of the change itself, so that neither exists without the other. At COMMIT
 * the database chains the entry to the company's last one (decision 0034).
 */
import type { AuditAction, AuditChanges } from "@malote/domain/audit-trail";
import { type RawBuilder, sql } from "kysely";
import type { Actor } from "./auth/actor.ts";
import type { AnyTx, Tx } from "./db/database.ts";
import { onlyRow } from "./db/only-row.ts";
import { prepared } from "./db/prepared.ts";
import { wholeText } from "./db/whole-text.ts";

/** Actor of an action, with the call in which it happens. A `Call` is assignable. */
export interface AuditContext {
  /** `operator`: the installation's operator, on the command line. */
  actor: Pick<Actor, "kind" | "id" | "name"> | "system" | "operator";
  now: Date;
  requestId?: string;
}

/** Names of actors without a company. They contain no brand, because the reader's company may use another one. */
export const systemNames = { system: "Sistema", operator: "Operador da instalação" } as const;

/**
 * Details of an entry. `changes` holds the values before and after (`auditChanges`); the other fields describe the
 * object.
 */
export interface AuditDetail {
  changes?: AuditChanges;
  [fact: string]: unknown;
}

export async function audit(
  tx: Tx,
  { actor, now, requestId }: AuditContext,
  action: AuditAction,
  subjectId?: string,
  detail: AuditDetail = {},
): Promise<void> {
  const who = typeof actor === "string" ? { kind: "system", id: null, name: systemNames[actor] } : actor;
  await sql`
    ${prepared} INSERT INTO audit_entries (company_id, at, actor_kind, actor_id, actor_name, action, subject_id, detail, request_id)
    VALUES (${tx.companyId}, ${now}, ${who.kind}, ${who.id}, ${who.name}, ${action}, ${subjectId ?? null},
            ${JSON.stringify(detail, wholeText)}::jsonb, ${requestId ?? null})
  `.execute(tx);
}

/**
 * Adds the entries that a query returns, in one statement with it: company, moment, actor's kind, id and name, action
 * and request. For calls whose duration must not say whether they found a company.
 */
export async function auditFrom(tx: AnyTx, entries: RawBuilder<unknown>): Promise<void> {
  await sql`
    INSERT INTO audit_entries (company_id, at, actor_kind, actor_id, actor_name, action, request_id)
    ${entries}
  `.execute(tx);
}

/** Counts the entries of these actions since the given time; `by`: those of one user or credential. */
export async function countEntries(
  tx: Tx,
  { by, actions, since }: { by?: string; actions: readonly string[]; since: Date },
): Promise<number> {
  const ofActor = by === undefined ? sql`` : sql`AND actor_id = ${by}`;
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM audit_entries
      WHERE company_id = ${tx.companyId} ${ofActor} AND at > ${since} AND action = ANY(${[...actions]}::text[])
    `.execute(tx),
  ).count;
}
