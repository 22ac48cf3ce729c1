import { type Fault, inFunction, movements } from "../fault.ts";

const pay = (title: string) => ({ file: "apps/api/src/payments/pay.test.ts", test: title });
const corrected = (title: string) => ({
  file: "apps/api/src/payouts/transfers/correct-and-refund.test.ts",
  test: title,
});
const validated = (title: string) => ({ file: "apps/api/src/validation/micro-deposit.test.ts", test: title });
const withdrawn = (title: string) => ({ file: "apps/api/src/statement/withdraw.test.ts", test: title });
const counted = (title: string) => ({ file: "apps/api/src/indicators/indicators.test.ts", test: title });

/** Faults of payments under way, and of returned money. */
export const paymentFaults: Fault[] = [
  {
    name: "two workers can claim the same payment",
    plant: {
      statements: /(ORDER BY t\.execute_at, t\.id LIMIT \$\d+) FOR UPDATE OF t SKIP LOCKED/,
      becomes: "$1",
    },
    caughtBy: pay("hands over each payment once with four concurrent workers in two processes"),
  },
  {
    name: "a payment whose answer was lost is resent under another id",
    plant: {
      statements: /SET claimed_at = (\$\d+) FROM orphans/,
      becomes: "SET claimed_at = $1, end_to_end_id = reverse(end_to_end_id) FROM orphans",
    },
    caughtBy: pay("queries the network before resending when every answer is lost, and pays once"),
  },
  {
    name: "a refused payment is resent under its first id",
    plant: { statements: /t\.attempt \+ 1\), 'UTF8'/, becomes: "0), 'UTF8'" },
    caughtBy: corrected("TRF-018 TRF-045 resends a corrected payment as a new order with the reserved money"),
  },
  {
    name: "events are applied to payments with a final status",
    plant: {
      statements: /AND t\.status = ANY\((\$\d+)::text\[\]\)/,
      becomes: "AND $1::text[] IS NOT NULL",
    },
    caughtBy: pay("TRF-007 accepts the event finished before settled, and stays finished"),
  },
  {
    name: "an event with another value is applied",
    plant: { statements: /AND coalesce\(o\.value = t\.value, true\)/, becomes: "AND true" },
    caughtBy: {
      file: "apps/api/src/payments/attempts.test.ts",
      test: "does not apply an event with another value than the payment's",
    },
  },
  {
    name: "an event from another network than the payment's is applied",
    plant: {
      statements: /(coalesce\(o\.value = t\.value, true\)) AND coalesce\(t\.connection, (\$\d+)\) = (\$\d+)/,
      becomes: "$1 AND ($2::text = $3::text) IS NOT NULL",
    },
    caughtBy: {
      file: "apps/api/src/payments/rails.test.ts",
      test: "accepts no event about a payment of another network",
    },
  },
  {
    name: "a Pix that is reported twice is posted twice",
    plant: movements("m.cause LIKE 'pix:%'", { cause: "m.cause || gen_random_uuid()" }),
    caughtBy: {
      file: "apps/api/src/statement/entries.test.ts",
      test: "STM-009 STM-018 STM-019 shows the payer of a deposit",
    },
  },
  {
    name: "the money of a payment that arrived stays reserved",
    plant: {
      sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.paid_count > OLD.paid_count THEN NEW.reserved_value := OLD.reserved_value; END IF; RETURN NEW;
        END $$;
        CREATE TRIGGER planted BEFORE UPDATE ON batches FOR EACH ROW EXECUTE FUNCTION planted()`,
    },
    caughtBy: pay("finishes a mixed batch correctly with every event delivered twice"),
  },
  {
    name: "a payment that the bank sent back is not posted",
    plant: movements("m.cause LIKE 'returned:%'", { missing: true }),
    caughtBy: pay("TRF-003 TRF-007 accepts the event returned before settled, also in one call"),
  },
  {
    name: "the money of a failed withdrawal stays reserved",
    plant: movements("m.cause LIKE 'returned:%' AND m.from_account = 'reserved'", { missing: true }),
    caughtBy: withdrawn("STM-019 returns to the balance automatically if the network refuses it"),
  },
  {
    name: "a micro deposit does not reduce the balance",
    plant: movements("m.cause LIKE 'micro-deposit:%'", { missing: true }),
    caughtBy: validated("VAL-012 VAL-015 VAL-017 leaves the balance immediately, arrives"),
  },
  {
    name: "a withdrawal does not reduce the balance",
    plant: movements("m.cause LIKE 'withdraw:%'", { missing: true }),
    caughtBy: withdrawn(
      "STM-018 STM-029 leaves the balance immediately and arrives at the company's own account",
    ),
  },
  {
    name: "a refund is posted with one centavo too little",
    plant: movements("m.cause LIKE 'refund:%' AND m.amount > 1", { amount: "m.amount - 1" }),
    caughtBy: corrected("BAT-082 TRF-047 neither lists nor returns payments that the same receiver got"),
  },
  {
    name: "the indicators count by the day in UTC",
    plant: inFunction("counted_as", "AT TIME ZONE 'America/Sao_Paulo'", "AT TIME ZONE 'UTC'"),
    caughtBy: counted("IND-005 use the day in São Paulo, and count both ends of the period"),
  },
  {
    name: "the indicators count boletos among transfers",
    plant: inFunction("counted_as", "t.payment_method <> 'BILLET' AND ", ""),
    caughtBy: counted("exclude boletos, whether they are paid, fail, are returned or sent back"),
  },
  {
    name: "a payin may change to any status",
    plant: { sql: "DROP TRIGGER payins_take_legal_steps ON payins" },
    caughtBy: {
      file: "apps/api/src/platform/db/legal-steps.test.ts",
      test: "accepts legal steps only, of the owner",
    },
  },
];
