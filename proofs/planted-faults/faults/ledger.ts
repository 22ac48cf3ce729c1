import type { Fault } from "../fault.ts";

const books = "apps/api/migrations/0003_ledger.sql";
const test = (title: string) => ({ file: "apps/api/src/ledger/ledger.test.ts", test: title });

/** Of the tables that hold the money and of the function that moves it. */
export const ledgerFaults: Fault[] = [
  {
    name: "the constraint that keeps a company's account from going below zero is dropped",
    file: "apps/api/migrations/0045_payins.sql",
    right: "CHECK (balance >= 0 OR account NOT IN ('available', 'reserved', 'blocked'))",
    wrong: "CHECK (balance IS NOT NULL)",
    caughtBy: test("keeps the floor and the bounds even when the ledger's own role writes past the function"),
  },
  {
    name: "a posting does not look whether the money suffices",
    file: books,
    right: "WHERE balance_after < 0 AND account IN ('available', 'reserved', 'blocked') LIMIT 1",
    wrong: "WHERE false",
    caughtBy: test("writes nothing at all when one movement of many would go below zero"),
  },
  {
    name: "the unique key of a cause is dropped",
    file: books,
    right: "CONSTRAINT ledger_transactions_one_per_cause UNIQUE (company_id, cause)",
    wrong: "CONSTRAINT ledger_transactions_one_per_cause CHECK (cause <> '')",
    caughtBy: test("refuses an account that does not exist, the same cause twice in one posting"),
  },
  {
    name: "a cause that is in the books is posted again",
    file: books,
    right: "WHERE t.company_id = p_company AND t.cause = m.cause) IS NULL",
    wrong: "WHERE t.company_id = p_company AND t.cause = m.cause AND t.id = m.id) IS NULL",
    caughtBy: test("passes over a cause that is in the books"),
  },
  {
    name: "entries need not sum to zero",
    file: books,
    right: "HAVING sum(amount) <> 0 OR count(*) < 2 LIMIT 1",
    wrong: "HAVING false LIMIT 1",
    caughtBy: test("refuses an account that does not exist, the same cause twice in one posting"),
  },
  {
    name: "a posting does not lock its accounts",
    file: books,
    right: "ORDER BY account FOR UPDATE",
    wrong: "ORDER BY account",
    caughtBy: test("lets sixty-four spend at once from two processes"),
  },
  {
    name: "accounts are locked in the order the money flows",
    file: books,
    right: "ORDER BY account FOR UPDATE",
    wrong: "ORDER BY account <> (p_movements[1]).from_account FOR UPDATE",
    caughtBy: test("lets money run through all accounts in both directions at once"),
  },
  {
    name: "an account's number of entries grows by one for each posting",
    file: books,
    right: "seq = a.seq + t.entries",
    wrong: "seq = a.seq + 1",
    caughtBy: test("posts a thousand random movements"),
  },
  {
    name: "a month's sum forgets what came in before",
    file: books,
    right: "money_in = m.money_in + excluded.money_in",
    wrong: "money_in = excluded.money_in",
    caughtBy: test("never dates an entry before the one it follows"),
  },
  {
    name: "a posting counts in the month of UTC",
    file: books,
    right: "moment AT TIME ZONE 'America/Sao_Paulo'",
    wrong: "moment AT TIME ZONE 'UTC'",
    caughtBy: test("never dates an entry before the one it follows"),
  },
  {
    name: "the product may write entries of the ledger itself",
    file: books,
    right: "SELECT protect_company_table('ledger_entries', 'SELECT');",
    wrong: "SELECT protect_company_table('ledger_entries', 'SELECT, INSERT');",
    caughtBy: test("refuses INSERT INTO ledger_entries"),
  },
  {
    name: "row security lets a company see every row",
    file: "apps/api/migrations/0001_roles.sql",
    right: "TO malote_app USING (company_id = (SELECT current_company()))",
    wrong: "TO malote_app USING (true)",
    caughtBy: test("shows nothing of another company in ledger_entries"),
  },
  {
    name: "row security does not hold for the owner of the tables",
    file: "apps/api/migrations/0001_roles.sql",
    right: "  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);\n",
    wrong: "",
    caughtBy: test("closes every table of a company by row security"),
  },
];
