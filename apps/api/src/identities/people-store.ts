/** Recipients of the product's e-mails. */
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

export interface Person {
  name: string;
  email: string;
}

/** Returns the admins who decide about the company's payments, without `except`. */
export async function listPaymentAdmins(tx: Tx, except?: string): Promise<Person[]> {
  const { rows } = await sql<Person>`
    SELECT name, email FROM users
    WHERE company_id = ${tx.companyId} AND profile = 'admin' AND removed_at IS NULL
      AND id IS DISTINCT FROM ${except ?? null}::uuid AND 'payments' = ANY(applications)
    ORDER BY email
  `.execute(tx);
  return rows;
}

/** Returns undefined for an unknown id, a credential or a removed user. */
export async function findPerson(tx: Tx, userId: string | null): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    SELECT name, email FROM users WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL
  `.execute(tx);
  return rows[0];
}

/** Returns the ids of the current payment admins, as an event stores them. */
export async function listAdminIds(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM users
    WHERE company_id = ${tx.companyId} AND profile = 'admin' AND removed_at IS NULL AND 'payments' = ANY(applications)
    ORDER BY email
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns users by id, including removed ones: they had access when the event happened. */
export async function findPeopleWithRemoved(
  tx: Tx,
  ids: readonly string[],
): Promise<(Person & { id: string })[]> {
  const { rows } = await sql<Person & { id: string }>`
    SELECT id, name, email FROM users WHERE company_id = ${tx.companyId} AND id = ANY(${[...ids]}::uuid[]) ORDER BY email
  `.execute(tx);
  return rows;
}
