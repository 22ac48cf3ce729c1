import { boletoRunDay } from "@malote/domain/boleto";
import {
  type CalendarDate,
  isBusinessDay,
  saoPauloDate,
  saoPauloTime,
  tedCutOff,
} from "@malote/domain/calendar";
import { maxCentsFor, type PaymentMethod } from "@malote/domain/limits";
import type { Cents } from "@malote/domain/money";
import { suspendedMethods } from "@malote/domain/suspended-functions";
import type { TransferFacts } from "@malote/domain/transfer";
import { sql } from "kysely";
import { type Company, readCompany, sqlBlockedTaxIds } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";

/** Date, cut-offs and company limits that may make a payment wrong after it was written. */
export interface DayFacts extends Pick<TransferFacts, "maxCents"> {
  today: CalendarDate;
  /** Current time in whole seconds, as the domain reads it. */
  instant: Date;
  /** True when a TED for today can no longer be sent. */
  tedClosedToday: boolean;
  boletoMaxCents: Cents;
  /** Methods that the operator suspended for the company. */
  suspended: readonly PaymentMethod[];
  /** Days on which a boleto closed now runs; `early` is for boletos that close early. */
  boletoRunsOn: { usual: CalendarDate; early: CalendarDate };
}

export function dayFacts(company: Pick<Company, "settings" | "permissions">, now: Date): DayFacts {
  const { accountLimits } = company.settings;
  const today = saoPauloDate(now);
  const moment = { today, now: saoPauloTime(now) };
  return {
    today,
    instant: new Date(Math.floor(now.getTime() / 1000) * 1000),
    maxCents: {
      PIX: maxCentsFor("PIX", accountLimits),
      TED: maxCentsFor("TED", accountLimits),
      TEV: maxCentsFor("TEV", accountLimits),
    },
    tedClosedToday: isBusinessDay(today) && moment.now > tedCutOff,
    suspended: suspendedMethods(company.permissions),
    boletoMaxCents: maxCentsFor("BILLET", accountLimits),
    boletoRunsOn: { usual: boletoRunDay(null, false, moment), early: boletoRunDay(null, true, moment) },
  };
}

export const readDayFacts = async (tx: Tx, now: Date): Promise<DayFacts> =>
  dayFacts(await readCompany(tx), now);

/** Returns a digest of the blocked documents, with the keys of each as far as the company knows its holder. */
export async function readBlockedPayees(tx: Tx): Promise<string> {
  return onlyRow(
    await sql<{ digest: string }>`
      SELECT coalesce(md5(string_agg(b.tax_id || ' ' || coalesce(held.keys, ''), ',' ORDER BY b.tax_id)), '') AS digest
      FROM (${sqlBlockedTaxIds}) b CROSS JOIN LATERAL (
        SELECT string_agg(k.pix_key, ' ' ORDER BY k.pix_key) AS keys FROM key_lookups k
        WHERE k.company_id = ${tx.companyId} AND k.holder_tax_id = b.tax_id) held
    `.execute(tx),
  ).digest;
}
