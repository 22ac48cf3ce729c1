-- A Pix by key counts under no bank, as decision 0015 says: it counted under the one that was typed beside the key.

-- The lock stops all changes of payments until the recount ends: a count by the old rule must not be subtracted from
-- one by the new.
LOCK TABLE transfers IN SHARE MODE;

CREATE OR REPLACE FUNCTION counted_as(t transfers) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN t.payment_method <> 'BILLET' AND t.status IN ('TRANSFERRED', 'FINISHED', 'FAILED', 'RETURNED') THEN jsonb_build_object(
    'day', (CASE t.status WHEN 'FAILED' THEN t.failed_date WHEN 'RETURNED' THEN t.returned_date ELSE t.transfer_date END
            AT TIME ZONE 'America/Sao_Paulo')::date,
    'status', t.status,
    'bank', CASE WHEN t.payment_method = 'PIX' THEN '' ELSE coalesce(t.bank_ispb, '') END,
    -- Cut, because it comes from outside and becomes part of a key.
    'reason', CASE WHEN t.status IN ('FAILED', 'RETURNED') THEN coalesce(left(t.status_description, 200), '') ELSE '' END) END
$$;

TRUNCATE payment_days;
-- As a role that sees all companies: the tables' owner may be subject to row security.
SET LOCAL ROLE malote_system;
INSERT INTO payment_days (company_id, day, status, bank_ispb, reason, payments)
SELECT company_id, (counted ->> 'day')::date, counted ->> 'status', counted ->> 'bank', counted ->> 'reason', payments
FROM (
  SELECT t.company_id, counted_as(t) AS counted, count(*) AS payments
  FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id AND b.type <> 'WITHDRAWAL'
  GROUP BY 1, 2) made
WHERE counted IS NOT NULL;
RESET ROLE;

-- The list of people is in the order of the folded name, which the index before did not have.
DROP INDEX users_by_name;
CREATE INDEX users_by_name ON users (company_id, fold_text(name), id) WHERE removed_at IS NULL;

-- When the payment behind a receiver's status became final: the result of an older batch does not replace it.
ALTER TABLE receivers ADD COLUMN told_at timestamptz;
