import type { Fault } from "../fault.ts";

const api = (path: string) => `apps/api/src/${path}`;
const refused = (way: string) => ({
  file: api("controls/suspended-functions.test.ts"),
  test: `SHL-038 SES-059 ${way} is refused while`,
});
const waits = (title: string) => ({ file: api("controls/suspended-payments.test.ts"), test: title });
const leaving = {
  file: api("payouts/batches/changed-rules.test.ts"),
  test: "TRF-030 fails a scheduled payment on its day if its document or key was blocked since",
};
const byOperator = (title: string) => ({ file: api("payments/outcome-by-operator.test.ts"), test: title });

/** Faults of the operator's blocks, and of the operator's outcomes of payments. */
export const blockFaults: Fault[] = [
  {
    name: "a draft with a payment by a suspended method can be closed",
    plant: {
      statements: /\(t\.payment_method = ANY\((\$\d+)::text\[\]\)\)/,
      becomes: "($1::text[] IS NULL)",
    },
    caughtBy: refused("closing a batch of Pix"),
  },
  {
    name: "a scheduled payment by a suspended method is sent on its day",
    plant: {
      statements: /AND \(c\.permissions && ARRAY\['all', CASE t\.payment_method/,
      becomes: "AND (true OR c.permissions && ARRAY['all', CASE t.payment_method",
    },
    caughtBy: waits("SHL-038 waits past its scheduled day while 'payout_pix' is suspended"),
  },
  {
    name: "a waiting batch becomes a draft when its method is suspended",
    plant: { file: api("payouts/batches/release.ts"), step: "isHeldBySuspension" },
    caughtBy: waits("BAT-031 a batch that waits for money waits for its function too"),
  },
  {
    name: "a withdrawal by a suspended method is sent",
    plant: { file: api("statement/withdraw.ts"), step: "payoutFunctionOf" },
    caughtBy: refused("withdrawing by TED"),
  },
  {
    name: "a received Pix is refunded although refunds are suspended",
    plant: { file: api("payins/request-refund.ts"), step: "payout_pix_refund" },
    caughtBy: refused("giving a received Pix back"),
  },
  {
    name: "a charge by a suspended method is created",
    plant: { file: api("payins/charge.ts"), step: "requireFunction" },
    caughtBy: waits("makes no new charge for any feature by 'pix'"),
  },
  {
    name: "a scheduled payment to a document that was blocked later is sent",
    plant: {
      statements:
        /\(t\.tax_id IN \(SELECT tax_id FROM blocked_tax_ids\) IS TRUE([\s\S]*? AS is_payee_blocked)/,
      becomes: "(false$1",
    },
    caughtBy: leaving,
  },
  {
    name: "a scheduled payment to a key whose holder was blocked later is sent",
    plant: {
      statements: /OR \(\(t\.company_id, t\.pix_key\) IN \([\s\S]*? IS TRUE\)\) AS is_payee_blocked/,
      becomes: ") AS is_payee_blocked",
    },
    caughtBy: leaving,
  },
  {
    name: "a failed payment is resent to a key of a blocked holder",
    plant: {
      statements: /ON b\.tax_id = k\.holder_tax_id\s+WHERE/,
      becomes: "ON b.tax_id = k.holder_tax_id WHERE false AND",
    },
    caughtBy: {
      file: api("payouts/transfers/correct-and-refund.test.ts"),
      test: "TRF-030 TRF-045 refuses a correction to a key that a blocked document holds",
    },
  },
  {
    name: "an outcome by the operator is recorded as the network's",
    plant: {
      sql: `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.payload ->> 'by' = 'operator' THEN NEW.payload := NEW.payload || '{"by": "network"}'; END IF; RETURN NEW;
        END $$;
        CREATE TRIGGER planted BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION planted()`,
    },
    caughtBy: byOperator("applies the operator's outcome of a payment over a removed connection"),
  },
  {
    name: "an event that the operator closed is applied",
    plant: {
      statements: /(SET trying_until = [\s\S]*?) AND closed_at IS NULL RETURNING id/,
      becomes: "$1 RETURNING id",
    },
    caughtBy: byOperator("is not applied if the events before it took longer than its minute"),
  },
  {
    name: "a running retry deletes the operator's closing of the event",
    plant: {
      statements: /(DELETE FROM rail_dead_letters WHERE id = \$\d+) AND closed_at IS NULL/,
      becomes: "$1",
    },
    caughtBy: byOperator("stays closed if its own try took longer than that"),
  },
];
