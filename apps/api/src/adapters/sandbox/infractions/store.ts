/** Tables of the provider: reports, answers and events to deliver. */
import { sql } from "kysely";
import type { AnyTx } from "../../../platform/db/database.ts";
import { declareSystemLock, lockSystem } from "../../../platform/db/locks.ts";
import { nextRetryAt } from "../../../platform/db/next-retry.ts";
import type { InfractionEvent } from "../../../ports/infractions.ts";

export interface ReceivedPix {
  end_to_end_id: string;
  pix_key: string;
  value: number;
  payer_name: string;
  received_at: Date;
}

/** Returns Pix that companies of this installation received, newest first. */
export async function receivedPix(
  tx: AnyTx,
  { endToEndId, max }: { endToEndId?: string; max: number },
): Promise<ReceivedPix[]> {
  const { rows } = await sql<ReceivedPix>`
    SELECT end_to_end_id, payload ->> 'pixKey' AS pix_key, (payload ->> 'value')::bigint AS value,
           payload #>> '{payer,name}' AS payer_name, (payload ->> 'at')::timestamptz AS received_at
    FROM sandbox.events
    WHERE payload ->> 'kind' = 'pix_received' AND delivered_at IS NOT NULL
      AND (${endToEndId ?? null}::text IS NULL OR end_to_end_id = ${endToEndId ?? null})
    ORDER BY (payload ->> 'at')::timestamptz DESC, id DESC LIMIT ${max}
  `.execute(tx);
  return rows;
}

export const infractionStages = [
  "reported",
  "contested_by_email",
  "agreed",
  "disagreed",
  "canceled",
] as const;
export type InfractionStage = (typeof infractionStages)[number];

export interface ReportedInfraction {
  id: string;
  end_to_end_id: string;
  reported_at: Date;
  answer: { analysis: string; description: string | null; file_name: string | null } | null;
  last_event: InfractionStage;
}

export async function listReported(tx: AnyTx, max: number): Promise<ReportedInfraction[]> {
  const { rows } = await sql<ReportedInfraction>`
    SELECT id, end_to_end_id, reported_at, answer, told AS last_event FROM sandbox.infractions
    ORDER BY reported_at DESC, id DESC LIMIT ${max}
  `.execute(tx);
  return rows;
}

/** Locks the report to the end of the transaction, so that its events stay in order. */
export async function lockReported(tx: AnyTx, id: string): Promise<ReportedInfraction | undefined> {
  const { rows } = await sql<ReportedInfraction>`
    SELECT id, end_to_end_id, reported_at, answer, told AS last_event FROM sandbox.infractions WHERE id = ${id} FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export async function insertReported(
  tx: AnyTx,
  { id, endToEndId, now }: { id: string; endToEndId: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO sandbox.infractions (id, end_to_end_id, reported_at, told)
    VALUES (${id}, ${endToEndId}, ${now}, 'reported')
  `.execute(tx);
}

/** Stores the answer. Returns false when there is an earlier one: the first answer is final. */
export async function saveAnswer(tx: AnyTx, id: string, answer: object): Promise<boolean> {
  const { rows } = await sql`
    UPDATE sandbox.infractions SET answer = ${JSON.stringify(answer)}::jsonb
    WHERE id = ${id} AND answer IS NULL RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

export async function setLastEvent(tx: AnyTx, id: string, stage: InfractionStage): Promise<void> {
  await sql`UPDATE sandbox.infractions SET told = ${stage} WHERE id = ${id}`.execute(tx);
}

export async function insertEvent(tx: AnyTx, event: InfractionEvent, dueAt: Date): Promise<void> {
  const what = event.kind === "opinion" ? event.opinion : event.kind;
  await sql`
    INSERT INTO sandbox.infraction_events (id, payload, due_at)
    VALUES (${`${event.infractionId}:${what}`}, ${JSON.stringify(event)}::jsonb, ${dueAt})
    ON CONFLICT (id) DO NOTHING
  `.execute(tx);
}

interface DueEvent {
  id: string;
  payload: InfractionEvent;
}

/** Returns the next due event, oldest first. */
export async function findNextDueEvent(tx: AnyTx, now: Date): Promise<DueEvent | undefined> {
  const { rows } = await sql<DueEvent>`
    SELECT id, payload FROM sandbox.infraction_events
    WHERE delivered_at IS NULL AND due_at <= ${now}
    ORDER BY (payload ->> 'at')::timestamptz, id LIMIT 1
  `.execute(tx);
  return rows[0];
}

export async function markDelivered(tx: AnyTx, id: string, now: Date): Promise<void> {
  await sql`UPDATE sandbox.infraction_events SET delivered_at = ${now} WHERE id = ${id}`.execute(tx);
}

/** Postpones the next delivery by 1 s, then 2, 4 … up to a minute. */
export async function postponeDelivery(tx: AnyTx, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE sandbox.infraction_events
    SET tries = tries + 1, due_at = ${nextRetryAt(now, sql`tries`, { firstSeconds: 1, longestSeconds: 60 })}
    WHERE id = ${id}
  `.execute(tx);
}

export async function readNextDueAt(tx: AnyTx): Promise<Date | undefined> {
  const { rows } = await sql<{ due_at: Date | null }>`
    SELECT min(due_at) AS due_at FROM sandbox.infraction_events WHERE delivered_at IS NULL
  `.execute(tx);
  return rows[0]?.due_at ?? undefined;
}

export const infractionDeliveryLock = declareSystemLock(7_265_004);

/** Locks delivery to the end of the transaction: one process at a time delivers. */
export const lockDelivery = (tx: AnyTx): Promise<void> => lockSystem(tx, infractionDeliveryLock);
