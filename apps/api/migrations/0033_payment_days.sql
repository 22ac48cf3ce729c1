-- How many payments reached which final status on which day, by bank and by reason: a year of a million payments is
-- then some ten thousand counts. Updated in the transaction that moves a payment (decision 0015); the books check
-- recounts them.

ALTER TABLE transfers ADD COLUMN failed_date timestamptz;

-- The day, the final status, the bank and the reason under which a payment is counted; NULL while it is not final. A
-- payment counts once, under its present status, on the day it reached it; a boleto is no transfer and does not
-- count. This function is the one place that defines it.
CREATE FUNCTION counted_as(t transfers) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN t.payment_method <> 'BILLET' AND t.status IN ('TRANSFERRED', 'FINISHED', 'FAILED', 'RETURNED') THEN jsonb_build_object(
    'day', (CASE t.status WHEN 'FAILED' THEN t.failed_date WHEN 'RETURNED' THEN t.returned_date ELSE t.transfer_date END
            AT TIME ZONE 'America/Sao_Paulo')::date,
    'status', t.status,
    'bank', coalesce(t.bank_ispb, ''),
    -- Cut, because it comes from outside and becomes part of a key.
    'reason', CASE WHEN t.status IN ('FAILED', 'RETURNED') THEN coalesce(left(t.status_description, 200), '') ELSE '' END) END
$$;

CREATE TABLE payment_days (
  company_id uuid NOT NULL REFERENCES companies,
  day date NOT NULL,
  status text NOT NULL CHECK (status IN ('TRANSFERRED', 'FINISHED', 'FAILED', 'RETURNED')),
  -- Empty for a payment by Pix key: its bank is known to the network alone.
  bank_ispb text NOT NULL,
  reason text NOT NULL CHECK (char_length(reason) <= 200),
  payments int NOT NULL,
  PRIMARY KEY (company_id, day, status, bank_ispb, reason)
);
SELECT protect_company_table('payment_days', 'SELECT, INSERT, UPDATE');

-- Not a CHECK: one would refuse the row that says "one less" before it meets the row it is taken from.
CREATE FUNCTION payment_days_never_below_zero() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation
    USING MESSAGE = 'fewer payments than none', CONSTRAINT = 'payment_days_never_below_zero';
END $$;
CREATE TRIGGER payment_days_never_below_zero AFTER INSERT OR UPDATE ON payment_days FOR EACH ROW
  WHEN (NEW.payments < 0) EXECUTE FUNCTION payment_days_never_below_zero();

-- As a role that sees all companies: the tables' owner may be subject to row security.
SET LOCAL ROLE malote_system;
-- The moment of a failure was not kept; it came on the day the order was handed over, or soon after.
UPDATE transfers SET failed_date = coalesce(sent_at, claimed_at, created_at) WHERE status = 'FAILED';
INSERT INTO payment_days (company_id, day, status, bank_ispb, reason, payments)
SELECT company_id, (counted ->> 'day')::date, counted ->> 'status', counted ->> 'bank', counted ->> 'reason', payments
FROM (
  SELECT t.company_id, counted_as(t) AS counted, count(*) AS payments
  FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id AND b.type <> 'WITHDRAWAL'
  GROUP BY 1, 2) made
WHERE counted IS NOT NULL;
RESET ROLE;
