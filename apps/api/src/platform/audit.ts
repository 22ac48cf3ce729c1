/** Who did what, written by the transaction of the change itself: there is never one without the other. */
import { sql } from "kysely";
import type { Actor } from "./auth/actor.ts";
import type { Tx } from "./db/database.ts";
import { planOnce } from "./db/plan-once.ts";
import { wholeText } from "./db/whole-text.ts";

/** Whoever acts, and in which call. A `Call` fits as it is. */
export interface Acting {
  actor: Pick<Actor, "kind" | "id" | "name"> | "system";
  now: Date;
  requestId?: string;
}

export async function audit(
  tx: Tx,
  { actor, now, requestId }: Acting,
  action: string,
  subjectId?: string,
  detail: object = {},
): Promise<void> {
  const who = actor === "system" ? { kind: "system", id: null, name: "Malote" } : actor;
  await sql`
    ${planOnce} INSERT INTO audit_entries (company_id, at, actor_kind, actor_id, actor_name, action, subject_id, detail, request_id)
    VALUES (${tx.companyId}, ${now}, ${who.kind}, ${who.id}, ${who.name}, ${action}, ${subjectId ?? null},
            ${JSON.stringify(detail, wholeText)}::jsonb, ${requestId ?? null})
  `.execute(tx);
}
