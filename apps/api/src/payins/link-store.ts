/** Payment links as rows, with the payins that their payers make. */
import type { CalendarDate } from "@malote/domain/calendar";
import type { LateTerms } from "@malote/domain/late-charges";
import type { Cents } from "@malote/domain/money";
import type { LinkMethod, LinkTerms } from "@malote/domain/payment-link";
import { sql } from "kysely";
import type { Database, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { type PayinRow, paidStatuses } from "./store.ts";

export interface LinkRow {
  id: string;
  token: string;
  name: string;
  description: string | null;
  amount: Cents;
  expires_on: CalendarDate;
  payment_methods: LinkMethod[];
  boleto_due_days: number | null;
  late_terms: LateTerms | null;
  max_installments: number | null;
  created_at: Date;
  is_paid: boolean;
  payin_id: string | null;
}

/** LNK-006: SQL condition on a link `l`: one of its payins is paid. */
const isLinkPaid = sql`EXISTS (
  SELECT FROM payins p
  WHERE p.company_id = l.company_id AND p.payment_link_id = l.id AND p.status = ANY(${paidStatuses}))`;

/** Id of the payin that paid a link `l`, not of one that came when it was paid; null when none did. */
const linkPaidBy = sql`(
  SELECT p.id FROM payins p
  WHERE p.company_id = l.company_id AND p.payment_link_id = l.id AND p.status = ANY(${paidStatuses})
  ORDER BY p.is_double, p.created_at, p.id LIMIT 1)`;

const columns = sql`l.id, l.token, l.name, l.description, l.amount, l.expires_on, l.payment_methods, l.boleto_due_days, l.late_terms,
  l.max_installments, l.created_at, ${isLinkPaid} AS is_paid, ${linkPaidBy} AS payin_id`;

/** Returns a page, the newest first, and the total number. */
export async function listLinks(
  tx: Tx,
  page: number,
  size: number,
): Promise<{ rows: LinkRow[]; count: number }> {
  const [counted, { rows }] = await Promise.all([
    sql<{ count: number }>`
      SELECT count(*)::int AS count FROM payment_links l WHERE l.company_id = ${tx.companyId} AND l.removed_at IS NULL
    `.execute(tx),
    sql<LinkRow>`
      SELECT ${columns} FROM payment_links l WHERE l.company_id = ${tx.companyId} AND l.removed_at IS NULL
      ORDER BY l.created_at DESC, l.id DESC LIMIT ${size} OFFSET ${page * size}
    `.execute(tx),
  ]);
  return { rows, count: onlyRow(counted).count };
}

/** Returns a link, even a deleted one, whose id stays used. */
export async function findLink(tx: Tx, id: string): Promise<(LinkRow & { removed: boolean }) | undefined> {
  const { rows } = await sql<LinkRow & { removed: boolean }>`
    SELECT ${columns}, l.removed_at IS NOT NULL AS removed
    FROM payment_links l WHERE l.company_id = ${tx.companyId} AND l.id = ${id}
  `.execute(tx);
  return rows[0];
}

/** Locks a link until the end of the transaction, so that actions on it are serialised. */
export async function lockLink(tx: Tx, id: string): Promise<LinkRow | undefined> {
  await sql`
    SELECT FROM payment_links l WHERE l.company_id = ${tx.companyId} AND l.id = ${id} FOR UPDATE
  `.execute(tx);
  // Read after the lock, so that a payment committed during the wait is visible.
  const link = await findLink(tx, id);
  return link?.removed ? undefined : link;
}

export interface NewLink {
  id: string;
  token: string;
  name: string;
  description: string | null;
  terms: LinkTerms;
  now: Date;
}

/** Adds a link; returns false when the company has used its id. */
export async function insertLink(
  tx: Tx,
  { id, token, name, description, terms, now }: NewLink,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO payment_links (company_id, id, token, name, description, amount, expires_on, payment_methods,
      boleto_due_days, late_terms, max_installments, created_at)
    VALUES (${tx.companyId}, ${id}, ${token}, ${name}, ${description}, ${terms.amount}, ${terms.expiresOn},
      ${[...terms.methods]}, ${terms.boletoDueDays}, ${terms.late && JSON.stringify(terms.late)}::jsonb, ${terms.maxInstallments}, ${now})
    ON CONFLICT (company_id, id) DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

export async function markLinkRemoved(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE payment_links SET removed_at = ${now} WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

/** Returns the link with its company. Like sign-in, it queries all companies, because the company is unknown before. */
export async function findLinkByToken(
  db: Database,
  token: string,
): Promise<{ companyId: string; id: string } | undefined> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ companyId: string; id: string }>`
      SELECT company_id AS "companyId", id FROM payment_links WHERE token = ${token} AND removed_at IS NULL
    `.execute(tx),
  );
  return rows[0];
}

/**
 * Returns whether the link was paid before this payin. Locks the link until the transaction ends, so that of two
 * payments at once one is the second.
 */
export async function wasLinkPaid(
  tx: Tx,
  { id, payment_link_id }: Pick<PayinRow, "id" | "payment_link_id">,
): Promise<boolean> {
  if (payment_link_id === null) return false;
  await sql`
    SELECT FROM payment_links WHERE company_id = ${tx.companyId} AND id = ${payment_link_id} FOR NO KEY UPDATE
  `.execute(tx);
  return onlyRow(
    await sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM payins WHERE company_id = ${tx.companyId} AND payment_link_id = ${payment_link_id}
        AND id <> ${id} AND status = ANY(${paidStatuses})) AS found
    `.execute(tx),
  ).found;
}
