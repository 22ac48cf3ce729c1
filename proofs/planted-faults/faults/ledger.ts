import { type Fault, inFunction } from "../fault.ts";

const test = (title: string) => ({ file: "apps/api/src/ledger/ledger.test.ts", test: title });
const posting = (right: string, wrong: string) => inFunction("post_allowed_movements", right, wrong);

/** Runs a body for every company table that has a policy for the product's role. */
const everyTable = (body: string) => ({
  sql: `DO $plant$ DECLARE p record; BEGIN
    FOR p IN SELECT tablename, policyname FROM pg_policies WHERE schemaname = 'public' AND 'malote_app' = ANY (roles) LOOP
      ${body}
    END LOOP;
    IF NOT FOUND THEN RAISE EXCEPTION 'there is no such policy'; END IF; END $plant$`,
});

/** Faults of the tables that hold the money and of the function that moves it. */
export const ledgerFaults: Fault[] = [
  {
    name: "the constraint that keeps a company's accounts at zero or above is missing",
    plant: { sql: "ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_floor" },
    caughtBy: test("enforces the floor and the bounds even when the ledger's own role bypasses the function"),
  },
  {
    name: "a posting does not check that the balance suffices",
    plant: posting(
      "WHERE balance_after < 0 AND account IN ('available', 'reserved', 'blocked') LIMIT 1",
      "WHERE false",
    ),
    caughtBy: test("writes nothing if one movement of many would go below zero"),
  },
  {
    name: "the unique key of a cause is missing",
    plant: { sql: "ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_one_per_cause" },
    caughtBy: test("refuses an unknown account, the same cause twice in one posting"),
  },
  {
    name: "a posting with a known cause is posted again",
    plant: posting("AND t.cause = m.cause) IS NULL", "AND t.cause = m.cause AND t.id = m.id) IS NULL"),
    caughtBy: test("skips a cause that is in the books, and posts the new ones beside it"),
  },
  {
    name: "the entries of a posting need not sum to zero",
    plant: { sql: "DROP TRIGGER ledger_entries_balanced ON ledger_entries" },
    caughtBy: test("refuses an unknown account, the same cause twice in one posting"),
  },
  {
    name: "a posting does not lock its accounts",
    plant: posting("ORDER BY account FOR UPDATE", "ORDER BY account"),
    caughtBy: test("lets sixty-four concurrent callers in two processes spend exactly the balance"),
  },
  {
    name: "a posting locks accounts in the order of the movement",
    plant: posting(
      "ORDER BY account FOR UPDATE",
      "ORDER BY account <> (p_movements[1]).from_account FOR UPDATE",
    ),
    caughtBy: test("moves money through all accounts in both directions concurrently without a deadlock"),
  },
  {
    name: "a posting adds one to an account's number of entries, however many it writes",
    plant: posting("seq = a.seq + t.entries", "seq = a.seq + 1"),
    caughtBy: test("posts a thousand random movements"),
  },
  {
    name: "a month's sum forgets the earlier entries of the month",
    plant: posting("money_in = m.money_in + excluded.money_in", "money_in = excluded.money_in"),
    caughtBy: test("never dates an entry before the one it follows"),
  },
  {
    name: "a posting counts in the month by UTC",
    plant: posting("moment AT TIME ZONE 'America/Sao_Paulo'", "moment AT TIME ZONE 'UTC'"),
    caughtBy: test("never dates an entry before the one it follows"),
  },
  {
    name: "the product's role may write entries of the ledger",
    plant: { sql: "GRANT INSERT ON ledger_entries TO malote_app" },
    caughtBy: test("refuses INSERT INTO ledger_entries"),
  },
  {
    name: "row security shows a company all rows",
    plant: everyTable("EXECUTE format('ALTER POLICY %I ON %I USING (true)', p.policyname, p.tablename);"),
    caughtBy: test("shows nothing of another company in ledger_entries"),
  },
  {
    name: "row security does not apply to the owner of the tables",
    plant: everyTable("EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', p.tablename);"),
    caughtBy: test(
      "protects every table of a company by row security that applies to the owner of the tables too",
    ),
  },
];
