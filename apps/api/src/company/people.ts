/** Whom Malote writes to. */
import { sql } from "kysely";
import { queueEmail, type WrittenEmail } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";

export interface Person {
  name: string;
  email: string;
}

/** Who decides about the company's payments, but for one of them. */
export async function paymentAdmins(tx: Tx, except?: string): Promise<Person[]> {
  const { rows } = await sql<Person>`
    SELECT name, email FROM users
    WHERE company_id = ${tx.companyId} AND profile = 'admin' AND removed_at IS NULL
      AND id IS DISTINCT FROM ${except ?? null}::uuid AND 'payments' = ANY(applications)
    ORDER BY email
  `.execute(tx);
  return rows;
}

/** Undefined for an unknown id, a credential, and a removed person. */
export async function findPerson(tx: Tx, userId: string | null): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    SELECT name, email FROM users WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL
  `.execute(tx);
  return rows[0];
}

/** Those who decide about the company's payments now, as an event stores them. */
export async function adminIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM users
    WHERE company_id = ${tx.companyId} AND profile = 'admin' AND removed_at IS NULL AND 'payments' = ANY(applications)
    ORDER BY email
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** People by id, removed ones too: they had access when the event happened. */
export async function findPeopleWithRemoved(
  tx: Tx,
  ids: readonly string[],
): Promise<(Person & { id: string })[]> {
  const { rows } = await sql<Person & { id: string }>`
    SELECT id, name, email FROM users WHERE company_id = ${tx.companyId} AND id = ANY(${[...ids]}::uuid[]) ORDER BY email
  `.execute(tx);
  return rows;
}

/** Writes about an event to those who are to be notified of it. */
export async function emailAbout(
  tx: Tx,
  services: Pick<Services, "clock" | "config" | "jobs">,
  event: { id: string; people: readonly string[] },
  email: WrittenEmail,
): Promise<void> {
  for (const person of await findPeopleWithRemoved(tx, event.people))
    await queueEmail(tx, services, email, { to: person, now: services.clock.now(), eventId: event.id });
}
