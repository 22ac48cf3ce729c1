-- Repairs rewrites of rows that went wrong. Where the tables' owner is subject to row security, three migrations
-- (0009, 0010, 0057) rewrote nothing; each is repeated here as a role that sees all companies, where it is still
-- needed. And 0055 counted micro deposits (0043) among the payments of a day, which the books check does not.

LOCK TABLE transfers IN SHARE MODE;
TRUNCATE payment_days;
SET LOCAL ROLE malote_system;

-- 0009: the creator of a batch counts among its authors and is not its second approver.
UPDATE batches SET edited_by = ARRAY[created_by] WHERE created_by IS NOT NULL AND edited_by = '{}';

-- 0053: a sheet with an unknown uploader left its batch with a NULL among its editors.
UPDATE batches SET edited_by = array_remove(edited_by, NULL) WHERE array_position(edited_by, NULL) IS NOT NULL;

-- 0010: payments under way get a time at which the network is asked about them.
UPDATE transfers SET ask_at = sent_at + interval '10 minutes'
WHERE ask_at IS NULL AND sent_at IS NOT NULL AND status IN ('EXECUTING', 'EM_REMESSA', 'FAILED_INTERNAL', 'TRANSFERRED');

-- 0057: who sent a draft back, and no e-mails to payees before an admin turns them on.
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
