/** Whom Malote writes to. */
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

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

/** Undefined for nobody, a credential, and somebody who is gone. */
export async function findPerson(tx: Tx, userId: string | null): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    SELECT name, email FROM users WHERE company_id = ${tx.companyId} AND id = ${userId} AND removed_at IS NULL
  `.execute(tx);
  return rows[0];
}

export const firstName = (name: string) => name.split(" ", 1)[0] ?? name;
