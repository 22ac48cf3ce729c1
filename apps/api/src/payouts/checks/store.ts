/** Detection of unusual payments, in one statement for a batch of any size. */

import type { CheckKind } from "@malote/domain/checks";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { wholeText } from "../../platform/db/whole-text.ts";
import type { PaymentField, ResendRecord } from "../payment-columns.ts";

/** Maximum number of findings of a kind that are shown; the others are only counted. */
export const shownMax = 20;

/** Page of the findings of each kind, in the order of the batch. */
export interface PageRange {
  from: number;
  max: number;
}
export const firstPage: PageRange = { from: 0, max: shownMax };
export const everyPage: PageRange = { from: 0, max: 10_000_000 };

export interface Found {
  kind: CheckKind;
  count: number;
  value: number;
  fingerprint: string;
  /** The requested page of findings; empty for a batch-level finding, which is in `whole`. */
  first: { id: string; other: string | null; data: Record<string, string | number> }[];
  whole?: Readonly<Record<string, string | number>>;
}

/** Returns the SQL text of a payment's destination, in the form by which people distinguish accounts. */
export const destination = (t: string) =>
  sql.raw(`CASE WHEN ${t}.pix_key IS NOT NULL THEN 'chave ' || ${t}.pix_key
    ELSE concat_ws(' ', 'banco', ${t}.bank_ispb, 'agência', ltrim(${t}.agency, '0'),
      'conta', concat_ws('-', ltrim(${t}.account, '0'), ${t}.account_digit)) END`);

/**
 * Columns that a confirmation covers: the value and the payee, in every field that a person sees. The order is part of
 * the confirmations in the database.
 */
export const confirmedColumns = [
  ...(["value", "destination", "barcode", "name", "tax_id"] as const),
  ...(["agency_digit", "account_type", "pix_key_validation"] as const),
] as const;

type ConfirmedColumn = (typeof confirmedColumns)[number];

/** Fields that no confirmation covers by themselves, each with the reason. Every other field is a confirmed column. */
export const unconfirmedFields: Readonly<Record<Exclude<PaymentField, ConfirmedColumn>, string>> = {
  pix_key: "part of the destination",
  bank_ispb: "part of the destination",
  agency: "part of the destination",
  account: "part of the destination",
  account_digit: "part of the destination",
  pix_key_type: "follows from the key",
  email: "takes a message and no money",
  payment_date: "sends no money elsewhere",
  integration_id: "sends no money elsewhere",
  pix_description: "sends no money elsewhere",
  description: "sends no money elsewhere",
  due_date: "follows from the code",
};

/** Returns the SQL array of what a confirmation covers of payment `t`. A change of any of it asks again. */
export const contentOf = (t: string) =>
  sql.raw(`jsonb_build_array(${confirmedColumns.map((column) => `${t}.${column}`).join(", ")})`);

/**
 * Payments under check as rows of `transfers`, and the condition on `o` for the payments that they are compared with.
 */
export interface PaymentScope {
  rows: RawBuilder<unknown>;
  others: RawBuilder<unknown>;
}

export const paymentsOf = (tx: Tx, batchId: string): PaymentScope => ({
  rows: sql`SELECT t.* FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}`,
  others: sql`o.batch_id <> ${batchId}`,
});

/** Returns resent payments, each compared with every payment outside this set, including those of its own batch. */
export const resentPayments = (tx: Tx, resends: readonly ResendRecord[]): PaymentScope => ({
  rows: sql`
    SELECT c.* FROM jsonb_to_recordset(${JSON.stringify(resends, wholeText)}::jsonb) AS g (id uuid, record jsonb)
      JOIN transfers t ON t.company_id = ${tx.companyId} AND t.id = g.id
      CROSS JOIN LATERAL jsonb_populate_record(t, g.record) c`,
  others: sql`o.id <> ALL(${resends.map(({ id }) => id)}::uuid[])`,
});

interface Content {
  value: number | null;
  content: string;
}

/** Returns the values of payments, and the content that a confirmation covers, by payment. */
export async function readContents(
  tx: Tx,
  { rows: payments }: PaymentScope,
  ids: readonly string[],
): Promise<Map<string, Content>> {
  const { rows } = await sql<Content & { id: string }>`
    ${prepared} SELECT t.id, t.value, ${contentOf("t")}::text AS content
    FROM (SELECT t.*, ${destination("t")} AS destination FROM (${payments}) t) t WHERE t.id = ANY(${[...ids]}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, ...one }) => [id, one]));
}
