import { type Fault, inFunction } from "../fault.ts";

const statement = (title: string) => ({ file: "apps/api/src/statement/statement.test.ts", test: title });
const billed = (title: string) => ({ file: "apps/api/src/billing/closing.test.ts", test: title });

/** Faults of repeated requests, the statement, tokens, invoices, keys and receivers. */
export const aroundFaults: Fault[] = [
  {
    name: "two companies share the keys of requests",
    plant: {
      sql: `ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey;
        ALTER TABLE idempotency_keys ADD PRIMARY KEY (route, key)`,
    },
    caughtBy: { file: "proofs/concurrency/r4-idempotency.test.ts", test: "R4 " },
  },
  {
    name: "the answer of a request is not stored by the transaction that did the work",
    plant: {
      sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER planted BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION planted()`,
    },
    caughtBy: {
      file: "apps/api/src/payouts/transfers/correct-and-refund.test.ts",
      test: "TRF-046 repeats the same bytes to the same request and returns nothing twice",
    },
  },
  {
    name: "the pages of the statement overlap by one entry",
    plant: {
      statements: /e\.seq > (\$\d+) AND e\.seq <= (\$\d+)(\s+ORDER BY e\.seq DESC)/,
      becomes: "e.seq >= $1 AND e.seq <= $2$3",
    },
    caughtBy: statement("STM-007 pages begin with the newest, without gap or repetition"),
  },
  {
    name: "the opening balance of a period is that of the next day",
    plant: {
      statements: /at < (\$\d+)(\s+ORDER BY at DESC, seq DESC LIMIT 1\)\s+opening)/,
      becomes: "at < $1::timestamptz + interval '1 day'$2",
    },
    caughtBy: statement("STM-016 STM-017 ends a month at midnight in São Paulo"),
  },
  {
    name: "a token stays valid after a change of password, role or second factor",
    plant: inFunction("bearer_of_session", " AND s.session_version = u.session_version", ""),
    caughtBy: { file: "apps/api/src/session/tokens.test.ts", test: "end with a higher session version" },
  },
  {
    name: "a credential of an operator has the permissions of an admin",
    plant: inFunction(
      "bearer_of_machine",
      "SELECT a.id, a.name, a.profile,",
      "SELECT a.id, a.name, 'admin',",
    ),
    caughtBy: { file: "apps/api/src/developer/credentials.test.ts", test: "grants no other profile" },
  },
  {
    name: "an invoice counts withdrawals",
    plant: { statements: /AND b\.type IN \('TRANSFER', 'BILLET'\)/, becomes: "" },
    caughtBy: billed("does not count failed, returned and pending payments"),
  },
  {
    name: "a charged month ends at midnight in UTC",
    plant: {
      statements: /t\.transfer_date < (\$\d+)/,
      becomes: "t.transfer_date < $1::timestamptz - interval '3 hours'",
    },
    caughtBy: billed("uses the second of arrival: 23:59:59 counts and 00:00:00 does not"),
  },
  {
    name: "two receivers of a company have the same destination",
    plant: { sql: "DROP INDEX receivers_by_destination" },
    caughtBy: {
      file: "apps/api/src/receivers/receivers.test.ts",
      test: "saves the same key or account once",
    },
  },
  {
    name: "an event is not written by the transaction of its change",
    plant: {
      sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER planted BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION planted()`,
    },
    caughtBy: {
      file: "apps/api/src/platform/events/events.test.ts",
      test: "has an event if and only if the change was committed",
    },
  },
];
