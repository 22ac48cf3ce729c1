/** Rules of the domain as SQL conditions on a payment `t`, shared by lists, checks and closings. */

import { openBatchStatuses } from "@malote/domain/batch-status";
import { largeBoletoCents } from "@malote/domain/boleto";
import { statusesFreeingCode } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import { sqlBlockedTaxIds } from "../../company/index.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import type { DayFacts } from "./day-facts.ts";

/** Condition equal to `closesEarly` of the domain. */
export const sqlClosesEarly = sql`(t.barcode LIKE '8%' OR t.value >= ${sql.lit(largeBoletoCents)})`;

/** Conditions for a draft row whose day, its TED hour today, its Pix code, or its boleto's last day has passed. */
const waysToExpire = ({ instant, today, tedClosedToday, boletoRunsOn }: DayFacts) => [
  sql`t.payment_date IS NOT NULL AND t.payment_date <= ${today}::date
    AND (t.payment_date < ${today}::date OR (${tedClosedToday}::boolean AND t.payment_method = 'TED'))`,
  sql`t.emv_until IS NOT NULL AND t.emv_until <= greatest(${instant}::timestamptz, ${startOfPaymentDay})`,
  sql`t.payable_until IS NOT NULL AND t.payable_until < greatest(t.payment_date, ${firstRunOf(boletoRunsOn)})`,
];
const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`(${sql.join(conditions, sql` OR `)})`;

/** Condition for a draft row that is too late to be paid as it is. */
export const sqlIsExpired = (facts: DayFacts): RawBuilder<unknown> =>
  sql`(t.status = 'CREATED' AND ${anyOf(waysToExpire(facts))})`;

/**
 * Condition for a draft `b` that has a payment of `sqlIsExpired`. Each way has an index of the rows that it can concern,
 * so a draft of a hundred thousand payments that are in time is not read.
 */
export const sqlHasExpired = (facts: DayFacts): RawBuilder<unknown> =>
  anyOf(
    waysToExpire(facts).map(
      (way) => sql`EXISTS (
        SELECT FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id AND t.status = 'CREATED' AND ${way})`,
    ),
  );

/** Returns the SQL for the day on which a boleto runs that leaves now. */
const firstRunOf = ({ early, usual }: DayFacts["boletoRunsOn"]) =>
  sql`CASE WHEN ${sqlClosesEarly} THEN ${early}::date ELSE ${usual}::date END`;

/** Condition for a boleto that no day can pay in time. */
export const sqlIsOverdueBoleto = ({ boletoRunsOn }: DayFacts): RawBuilder<unknown> =>
  sql`coalesce(t.payable_until < ${firstRunOf(boletoRunsOn)}, false)`;

/**
 * Returns the condition for a payment `t` with a rival: another payment has the same `column`, in a closed batch, or
 * earlier in any batch. A payment that was refused or returned is none, because its code may be paid again.
 */
const hasRival = (
  column: "barcode" | "emv_location",
) => sql`(${sql.raw(`t.${column}`)} IS NOT NULL AND EXISTS (
  SELECT FROM transfers o JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id
  WHERE o.company_id = t.company_id AND ${sql.raw(`o.${column} = t.${column}`)} AND o.id <> t.id
    AND o.status NOT IN ${statusIn(statusesFreeingCode)} AND b.status <> 'REMOVED'
    AND (b.status NOT IN ${statusIn(openBatchStatuses)} OR (o.created_at, o.position, o.id) < (t.created_at, t.position, t.id))))`;

/** Condition for a boleto that another payment has (BIL-013). */
export const sqlIsDuplicatedBoleto = hasRival("barcode");

/** Condition for the charge of a dynamic Pix code that another payment has. */
export const sqlIsDuplicatedCode = hasRival("emv_location");

/**
 * Condition for a payment `t` that is about to leave: another payment of its charge is under way, or precedes it in its
 * batch.
 */
export const sqlIsChargeTaken = sql`(t.emv_location IS NOT NULL AND EXISTS (
  SELECT FROM transfers o WHERE o.company_id = t.company_id AND o.emv_location = t.emv_location AND o.id <> t.id
    AND (o.status NOT IN ${statusIn(["CREATED", ...statusesFreeingCode])}
      OR (o.status = 'CREATED' AND o.batch_id = t.batch_id AND (o.position, o.id) < (t.position, t.id)))))`;

/** Condition for codes that may expire: a code that was paid or removed reports that status instead. */
const codeMayEnd = sql`t.emv_data ->> 'status' NOT IN ('PAID', 'REMOVED')`;
const startOfPaymentDay = sql`t.payment_date::timestamp AT TIME ZONE 'America/Sao_Paulo'`;

/** Condition equal to `qr_expired` of the domain. */
export const sqlIsCodeExpired = ({ instant }: DayFacts): RawBuilder<unknown> =>
  sql`(t.emv_until <= ${instant}::timestamptz AND ${codeMayEnd})`;

/** Condition for a late payment that no other day helps: its boleto or its Pix code has ended. */
export const sqlIsUnpayable = (facts: DayFacts): RawBuilder<unknown> =>
  sql`(${sqlIsOverdueBoleto(facts)} OR coalesce(t.emv_until <= ${facts.instant}::timestamptz, false))`;

/** Condition equal to `qr_expired_by_then` of the domain. */
export const sqlIsCodeExpiredByThen = ({ instant }: DayFacts): RawBuilder<unknown> =>
  sql`(t.emv_until > ${instant}::timestamptz AND t.emv_until <= ${startOfPaymentDay} AND ${codeMayEnd})`;

/**
 * Condition for a payment `t` whose key a blocked document holds, by the directory's last answer, even if the key
 * itself names no document.
 */
export const sqlIsHolderBlocked = sql`((t.company_id, t.pix_key) IN (
  SELECT k.company_id, k.pix_key FROM (${sqlBlockedTaxIds}) b JOIN key_lookups k ON k.holder_tax_id = b.tax_id) IS TRUE)`;

/** Condition for a payment `t` whose payee is blocked, by document or by key. */
export const sqlIsPayeeBlocked = sql`(t.tax_id IN (${sqlBlockedTaxIds}) IS TRUE
  OR (t.pix_key_type IN ('CPF', 'CNPJ') AND t.pix_key IN (${sqlBlockedTaxIds})) IS TRUE
  OR ${sqlIsHolderBlocked})`;

/** Condition for a payment `t` whose method is suspended for the company. */
export const sqlIsSuspended = ({ suspended }: Pick<DayFacts, "suspended">): RawBuilder<boolean> =>
  sql`(t.payment_method = ANY(${suspended}::text[]))`;

/**
 * Condition for a draft row that a blocked document, a suspended method, a lowered limit, or the same boleto or charge
 * elsewhere made unpayable.
 */
export function sqlIsForbidden({ maxCents, boletoMaxCents, suspended }: DayFacts): RawBuilder<unknown> {
  return sql`(t.status = 'CREATED' AND (${sqlIsPayeeBlocked} OR ${sqlIsSuspended({ suspended })}
    OR ${sqlIsDuplicatedBoleto} OR ${sqlIsDuplicatedCode}
    OR t.value > CASE t.payment_method WHEN 'PIX' THEN ${maxCents.PIX}::bigint WHEN 'TED' THEN ${maxCents.TED}::bigint
      WHEN 'TEV' THEN ${maxCents.TEV}::bigint ELSE ${boletoMaxCents}::bigint END))`;
}

/** Condition for a row that became wrong after it was written. */
export const sqlIsOutdated = (facts: DayFacts): RawBuilder<unknown> =>
  sql`(${sqlIsExpired(facts)} OR ${sqlIsForbidden(facts)})`;
