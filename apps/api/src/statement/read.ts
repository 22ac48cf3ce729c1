/**
 * The statement: entries of the available balance. Entries are numbered without gaps and in order of time, so a period is
 * a range of numbers and any page of it costs the same, in a company of ten thousand entries or of ten million.
 */

import type { readStatement, StatementEntry } from "@malote/contracts/statement";
import { addDays, type CalendarDate, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import { pageSize } from "@malote/domain/limits";
import { maskTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { waitingValue } from "../batches/index.ts";
import { availableBalance } from "../ledger/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import type { Call } from "../platform/http/serve.ts";

interface EntryRow {
  id: string;
  seq: number;
  amount: number;
  balance_after: number;
  at: Date;
  type: StatementEntry["type"];
  description: string;
  complement: Partial<StatementEntry["complement"]>;
}

interface Edge {
  seq: number;
  balance: number;
}

/** The last entry before an instant: where its number and balance stand. */
async function edgeBefore(tx: Tx, instant: Date): Promise<Edge> {
  const { rows } = await sql<Edge>`
    SELECT seq, balance_after AS balance FROM ledger_entries
    WHERE company_id = ${tx.companyId} AND account = 'available' AND at < ${instant}
    ORDER BY at DESC, seq DESC LIMIT 1
  `.execute(tx);
  return rows[0] ?? { seq: 0, balance: 0 };
}

async function monthSums(
  tx: Tx,
  first: CalendarDate,
  last: CalendarDate,
): Promise<{ in: number; out: number }> {
  return onlyRow(
    await sql<{ in: number; out: number }>`
    SELECT coalesce(sum(money_in), 0)::bigint AS in, coalesce(sum(money_out), 0)::bigint AS out FROM ledger_months
    WHERE company_id = ${tx.companyId} AND account = 'available' AND month BETWEEN ${first}::date AND ${last}::date
  `.execute(tx),
  );
}

async function entrySums(tx: Tx, after: number, upTo: number): Promise<{ in: number; out: number }> {
  return onlyRow(
    await sql<{ in: number; out: number }>`
    SELECT coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::bigint AS in,
           coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::bigint AS out
    FROM ledger_entries
    WHERE company_id = ${tx.companyId} AND account = 'available' AND seq > ${after} AND seq <= ${upTo}
  `.execute(tx),
  );
}

const isFirstOfMonth = (date: CalendarDate) => date.endsWith("-01");

export async function readPage(tx: Tx, { query }: Call<typeof readStatement>) {
  const from = query.initialDate as CalendarDate;
  const to = query.endDate as CalendarDate;
  if (to < from) throw new AppError("invalid_request", { fields: ["endDate"] });
  const dayAfter = addDays(to, 1);
  const opening = await edgeBefore(tx, startOfDay(from));
  const closing = await edgeBefore(tx, startOfDay(dayAfter));
  // Whole months, which is what the screen asks for, are already summed.
  const wholeMonths = isFirstOfMonth(from) && isFirstOfMonth(dayAfter);
  const totals = wholeMonths ? await monthSums(tx, from, to) : await entrySums(tx, opening.seq, closing.seq);

  const newest = closing.seq - (query.page - 1) * pageSize;
  const oldest = Math.max(opening.seq, newest - pageSize);
  const { rows } = await sql<EntryRow>`
    SELECT t.id, e.seq, e.amount, e.balance_after, e.at, t.type, t.description, t.complement
    FROM ledger_entries e JOIN ledger_transactions t ON t.company_id = e.company_id AND t.id = e.transaction_id
    WHERE e.company_id = ${tx.companyId} AND e.account = 'available' AND e.seq > ${oldest} AND e.seq <= ${newest}
    ORDER BY e.seq DESC
  `.execute(tx);
  return {
    entries: rows.map(entryOf),
    afterBalance: { date: to, value: closing.balance },
    prevBalance: { date: from, value: opening.balance },
    totals,
    metadata: { pagination: { itemsPerPage: pageSize, totalItems: closing.seq - opening.seq } },
  };
}

function entryOf(row: EntryRow): StatementEntry {
  const { complement } = row;
  return {
    id: row.id,
    date: saoPauloDate(row.at),
    type: row.type,
    description: row.description,
    value: row.amount,
    balance: row.balance_after,
    complement: {
      ...complement,
      timestamp: complement.timestamp ?? row.at.toISOString(),
      bank: complement.bank ?? null,
      isTed: complement.isTed ?? false,
      isPix: complement.isPix ?? false,
      ...(complement.payer && {
        payer: {
          ...complement.payer,
          document: complement.payer.document && maskTaxId(complement.payer.document),
        },
      }),
    },
  };
}

export async function readBalance(tx: Tx) {
  return { value: await availableBalance(tx), waiting_value: await waitingValue(tx) };
}
