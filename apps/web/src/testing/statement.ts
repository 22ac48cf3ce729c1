/** Entries of the statement, and its page as a test reads it. */
import { readStatement, type StatementEntry } from "@malote/contracts/statement";
import { screen, within } from "@testing-library/react";
import { fakeServer } from "./fake-server.ts";

let made = 0;

interface EntryFacts extends Omit<Partial<StatementEntry>, "complement"> {
  complement?: Partial<StatementEntry["complement"]>;
}

/** An entry; a test sets only the fields it is about. */
export function buildEntry(given: EntryFacts = {}): StatementEntry {
  made += 1;
  const { complement, ...rest } = given;
  return {
    id: `e${made}`,
    date: "2026-11-20",
    type: "DEPOSIT",
    description: "Pix recebido de Nova Era",
    value: 2_500_000,
    balance: 4_821_037,
    complement: { timestamp: null, bank: null, isTed: false, isPix: false, ...complement },
    ...rest,
  };
}

export const payer = {
  name: "Nova Era Ltda",
  bank: "Banco Aurora",
  agency: "0001",
  account: "4820173",
  account_digit: "6",
  account_type: "CONTA_CORRENTE",
  document: "27418639000148",
};
/** Answers of the fake server, whatever month is requested. */
export function answerWith(
  entries: StatementEntry[],
  given: { totalItems?: number; afterBalance?: number } = {},
): void {
  fakeServer.on(readStatement, () => ({
    entries,
    prevBalance: { date: "2026-02-01", value: 4_130_823 },
    afterBalance: { date: "2026-02-28", value: given.afterBalance ?? 4_821_037 },
    totals: { in: 1_290_214, out: 600_000 },
    metadata: { pagination: { itemsPerPage: 50, totalItems: given.totalItems ?? entries.length } },
  }));
}

export const table = () => screen.findByRole("table", { name: "Extrato" });
/** Rows without the headings, but with those of the two balances. */
export const rows = async () =>
  within(await table())
    .getAllByRole("row")
    .slice(1);
