import { type Fault, inFunction, movements } from "../fault.ts";

const closing = (title: string) => ({ file: "apps/api/src/payouts/batches/close.test.ts", test: title });
const life = (title: string) => ({ file: "apps/api/src/payouts/batches/batch-life.test.ts", test: title });
const boleto = (title: string) => ({ file: "apps/api/src/payouts/boletos/pay.test.ts", test: title });
const reservesOnce =
  "BAT-057 STM-013 reserves the money in one entry of the statement, which leads to the batch, and pays";

/** Faults of saving, approving, closing and waiting. */
export const batchFaults: Fault[] = [
  {
    name: "a batch is not locked while its closing is decided",
    plant: { statements: /(FROM batches b[\s\S]*?b\.status <> 'REMOVED') FOR UPDATE/, becomes: "$1" },
    caughtBy: closing("BAT-057 lets exactly one of sixty-four concurrent closings in two processes win"),
  },
  {
    name: "closing reserves one centavo too little",
    plant: movements("m.cause LIKE 'close:%'", { amount: "m.amount - 1" }),
    caughtBy: closing(reservesOnce),
  },
  {
    name: "closing reserves a hundred times the value",
    plant: movements("m.cause LIKE 'close:%'", { amount: "m.amount * 100" }),
    caughtBy: closing(reservesOnce),
  },
  {
    name: "an approval stays valid after the content of the batch changed",
    plant: {
      sql: `CREATE OR REPLACE FUNCTION batch_digest(p_company uuid, p_batch uuid) RETURNS text
        LANGUAGE sql STABLE AS $$ SELECT repeat('0', 64) $$`,
    },
    caughtBy: {
      file: "apps/api/src/payouts/batches/approval.test.ts",
      test: "BAT-064 binds an approval to the content: two values",
    },
  },
  {
    name: "an approval is not bound to the boletos' codes",
    plant: inFunction("batch_digest", "t.barcode, t.due_date, t.description)::text", "NULL)::text"),
    caughtBy: boleto("binds an approval to these boletos, dates and descriptions"),
  },
  {
    name: "the newest waiting batch gets the money first",
    plant: { statements: /ORDER BY b\.waiting_since, b\.id/, becomes: "ORDER BY b.waiting_since DESC, b.id" },
    caughtBy: {
      file: "apps/api/src/payouts/batches/waiting.test.ts",
      test: "BAT-060 BAT-079 BAT-080 releases waiting batches whole and oldest first",
    },
  },
  {
    name: "a changed payment of a draft is added to the batch's value again",
    plant: {
      statements: /coalesce\(t\.value, 0\) - coalesce\(old\.value, 0\) AS value/,
      becomes: "coalesce(t.value, 0) AS value",
    },
    caughtBy: life("BAT-034 saves only changes and keeps value, counts and revision right"),
  },
  {
    name: "a change of payments does not change the batch's revision",
    plant: {
      sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN NEW.revision := OLD.revision; RETURN NEW; END $$;
        CREATE TRIGGER planted BEFORE UPDATE ON batches FOR EACH ROW EXECUTE FUNCTION planted()`,
    },
    caughtBy: life("BAT-034 saves only changes and keeps value, counts and revision right"),
  },
  {
    name: "the editor of a batch is not recorded and may approve it alone",
    plant: {
      sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN NEW.edited_by := OLD.edited_by; RETURN NEW; END $$;
        CREATE TRIGGER planted BEFORE UPDATE ON batches FOR EACH ROW EXECUTE FUNCTION planted()`,
    },
    caughtBy: {
      file: "apps/api/src/payouts/batches/changed-rules.test.ts",
      test: "requires a person who is neither an editor of the content nor its creator",
    },
  },
  {
    name: "a page of payments over all batches begins with the first payment of a batch",
    plant: {
      statements: /OFFSET greatest\(0, (\$\d+) - p\.before\)/,
      becomes: "OFFSET greatest(0, $1::bigint - $1::bigint - p.before)",
    },
    caughtBy: {
      file: "apps/api/src/payouts/lists/by-period.test.ts",
      test: "fills pages across the boundaries of batches",
    },
  },
  {
    name: "a boleto can be in two payments",
    plant: {
      statements: /\(t\.barcode IS NOT NULL AND EXISTS \(/,
      becomes: "(t.barcode IS NULL AND EXISTS (",
    },
    caughtBy: {
      file: "apps/api/src/payouts/boletos/drafts.test.ts",
      test: "BIL-013 is reported if the boleto was registered before, in any batch of the company",
    },
  },
  {
    name: "closings of batches with the same boleto do not wait for each other",
    plant: {
      statements: /SELECT pg_advisory_xact_lock\(hashtextextended\((\$\d+), 0\)\)/,
      becomes: "SELECT hashtextextended($1, 0)",
    },
    caughtBy: boleto(
      "BIL-013 closes only one of two drafts with the same boleto that are closed concurrently",
    ),
  },
  {
    name: "the return of a failed boleto returns every failed boleto of its batch",
    plant: inFunction("receiver_id", "upper(t.name) END, t.barcode))", "upper(t.name) END))"),
    caughtBy: boleto("is returned alone, without another one that failed"),
  },
  {
    name: "a cancelled boleto keeps its money reserved",
    plant: movements("m.cause LIKE 'refund:%'", { missing: true }),
    caughtBy: {
      file: "apps/api/src/payouts/boletos/scheduled.test.ts",
      test: "can be cancelled until the end of the day before, also by an operator",
    },
  },
  {
    name: "a failed boleto is resent with the code of another payment",
    plant: {
      statements: /(SELECT b\.id, b\.name FROM transfers t JOIN batches b [\s\S]*?)WHERE/,
      becomes: "$1WHERE false AND",
    },
    caughtBy: boleto("is resent once with its mistake corrected, for the same value"),
  },
  {
    name: "a batch may change to any status",
    plant: { sql: "DROP TRIGGER batches_take_legal_steps ON batches" },
    caughtBy: {
      file: "apps/api/src/platform/db/legal-steps.test.ts",
      test: "accepts legal steps only, of the owner",
    },
  },
  {
    name: "a payment may change to any status",
    plant: { sql: "DROP TRIGGER transfers_take_legal_steps ON transfers" },
    caughtBy: {
      file: "apps/api/src/platform/db/legal-steps.test.ts",
      test: "accepts legal steps only, of the owner",
    },
  },
];
