-- Rewrites of rows that went wrong. A database of one's own belongs to somebody who is subject to row security, so three
-- migrations (0009, 0010, 0057) rewrote nothing there; each is done again here as a role that sees all companies, where it
-- is still to be done. And 0055 counted micro deposits (0043) among the payments of a day, which the books check does not.

LOCK TABLE transfers IN SHARE MODE;
TRUNCATE payment_days;
SET LOCAL ROLE malote_system;

-- 0009: who made a batch is one of those who wrote it, and not the second pair of eyes.
UPDATE batches SET edited_by = ARRAY[created_by] WHERE created_by IS NOT NULL AND edited_by = '{}';

-- 0053: a sheet whose bringer nobody knows made its batch one that nobody edited, written as somebody without an id.
UPDATE batches SET edited_by = array_remove(edited_by, NULL) WHERE array_position(edited_by, NULL) IS NOT NULL;

-- 0010: payments that are on their way are asked about.
UPDATE transfers SET ask_at = sent_at + interval '10 minutes'
WHERE ask_at IS NULL AND sent_at IS NOT NULL AND status IN ('EXECUTING', 'EM_REMESSA', 'FAILED_INTERNAL', 'TRANSFERRED');

-- 0057: who sent a draft back, and that nobody is written to before an admin says so.
UPDATE batches SET sent_back_by = CASE WHEN reprove_reason LIKE 'Enquanto o lote esperava o saldo,%' THEN 'system' ELSE 'person' END
WHERE status = 'DRAFT' AND reprove_reason IS NOT NULL AND sent_back_by IS NULL;
UPDATE companies SET settings = settings || '{"emailsPayees": false}'::jsonb WHERE NOT settings ? 'emailsPayees';

INSERT INTO payment_days (company_id, day, status, bank_ispb, reason, payments)
SELECT company_id, (counted ->> 'day')::date, counted ->> 'status', counted ->> 'bank', counted ->> 'reason', payments
FROM (
  SELECT t.company_id, counted_as(t) AS counted, count(*) AS payments
  FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id AND b.type IN ('TRANSFER', 'BILLET')
  GROUP BY 1, 2) made
WHERE counted IS NOT NULL;
RESET ROLE;
