/**
 * Idempotency: a repeated request does its work once. The answer is stored in the transaction of the work, so a crash
 * leaves either both or neither; while one request is running, a duplicate is asked to retry. Only the user or
 * credential that made the first request gets the answer, because another one of the company may have fewer rights.
 */
import { createHash } from "node:crypto";
import { dayMs } from "@malote/domain/durations";
import { sql } from "kysely";
import { AppError } from "../app-error.ts";
import type { Database, Tx } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import { prepared } from "../db/prepared.ts";

export const idempotencyKeyPattern = /^[\x21-\x7e]{1,64}$/;
/** Days for which an answer can be requested again. */
const idempotencyDays = 7;

export const requestHash = (input: unknown): string =>
  createHash("sha256").update(JSON.stringify(input)).digest("hex");

export async function answerOnce(
  tx: Tx,
  request: { route: string; key: string; hash: string; actorId: string; now: Date },
  work: () => Promise<string>,
): Promise<{ body: string; replayed: boolean }> {
  const first = onlyRow(
    await sql<{ locked: boolean; request_hash: string | null; body: string | null; asked_by: string | null }>`
      ${prepared} SELECT locked, request_hash, body, asked_by FROM first_answer(${tx.companyId}, ${request.route}, ${request.key})
    `.execute(tx),
  );
  if (!first.locked) throw new AppError("idempotency_in_progress");
  if (first.body !== null) {
    // An answer stored before callers were recorded is returned to any caller that sends the same request.
    if (first.asked_by !== null && first.asked_by !== request.actorId)
      throw new AppError("idempotency_key_of_another");
    if (first.request_hash !== request.hash) throw new AppError("idempotency_key_reused");
    return { body: first.body, replayed: true };
  }

  const body = await work();
  await sql`
    ${prepared} INSERT INTO idempotency_keys (company_id, route, key, request_hash, status, body, created_at, asked_by)
    VALUES (${tx.companyId}, ${request.route}, ${request.key}, ${request.hash}, 200, ${body}, ${request.now}, ${request.actorId})
  `.execute(tx);
  return { body, replayed: false };
}

export async function deleteOldAnswers(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - idempotencyDays * dayMs);
  await db.withSystem((tx) => sql`DELETE FROM idempotency_keys WHERE created_at < ${before}`.execute(tx));
}
