/** The statement: entries of the available balance, as people read them. */
import type { readStatement, StatementEntry } from "@malote/contracts/statement";
import { institutionName } from "@malote/domain/banks";
import { addDays, type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import { pageSize } from "@malote/domain/limits";
import { maskTaxId } from "@malote/domain/tax-id";
import { type EntryRow, listEntries, readAvailableBalance, readPeriod } from "../ledger/index.ts";
import { sumWaiting } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { addPayees } from "./payees.ts";

export async function readPage(tx: Tx, { query }: Call<typeof readStatement>) {
  const from = query.initialDate as CalendarDate;
  const to = query.endDate as CalendarDate;
  if (to < from) throw new AppError("invalid_request", { fields: ["endDate"] });
  const { opening, closing, totals } = await readPeriod(tx, from, addDays(to, 1));

  const newest = closing.seq - (query.page - 1) * pageSize;
  const oldest = Math.max(opening.seq, newest - pageSize);
  const rows = await listEntries(tx, { after: oldest, upTo: newest, newestFirst: true });
  return {
    entries: await addPayees(tx, rows.map(entryOf)),
    afterBalance: { date: to, value: closing.balance },
    prevBalance: { date: from, value: opening.balance },
    totals,
    metadata: { pagination: { itemsPerPage: pageSize, totalItems: closing.seq - opening.seq } },
  };
}

export type NumberedEntry = StatementEntry & { seq: number };

/** Returns entries by number, the oldest first, from after `after` to `upTo`. */
export async function listEntriesBetween(tx: Tx, after: number, upTo: number): Promise<NumberedEntry[]> {
  const rows = await listEntries(tx, { after, upTo, newestFirst: false });
  return addPayees(
    tx,
    rows.map((row) => ({ ...entryOf(row), seq: row.seq })),
  );
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
      timestamp: (complement.timestamp ? new Date(complement.timestamp) : row.at).toISOString(),
      bank: complement.bank ? institutionName(complement.bank) : null,
      isTed: complement.isTed ?? false,
      isPix: complement.isPix ?? false,
      ...(complement.payer && { payer: masked(complement.payer) }),
      ...(complement.receiver && { receiver: masked(complement.receiver) }),
    },
  };
}

type Counterpart = NonNullable<StatementEntry["complement"]["payer"]>;

/** Masks a stranger's CPF for people who may only read the statement (ruling D15). */
const masked = (person: Counterpart): Counterpart => ({
  ...person,
  document: person.document && maskTaxId(person.document),
  bank: person.bank && institutionName(person.bank),
});

export async function readBalance(tx: Tx) {
  const [value, waiting] = await Promise.all([readAvailableBalance(tx), sumWaiting(tx)]);
  return { value, waiting_value: waiting };
}
