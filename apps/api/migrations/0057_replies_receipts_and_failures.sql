-- E-mails carry a reply-to address, and the receipt of a payment goes to the person who was paid. A batch records who
-- closed it, who or what sent it back to draft, and when its makers are to be notified of failed payments.
ALTER TABLE mails ADD COLUMN reply_to text, ADD COLUMN receipt_of uuid;
-- One e-mail for each payment, however often its arrival is reported.
CREATE UNIQUE INDEX mails_receipt_of ON mails (company_id, receipt_of) WHERE receipt_of IS NOT NULL;
ALTER TABLE sandbox.mails ADD COLUMN reply_to text, ADD COLUMN attachment_name text;

ALTER TABLE batches
  ADD COLUMN closed_by uuid,
  ADD COLUMN sent_back_by text CONSTRAINT batches_sent_back_by CHECK (sent_back_by IN ('person', 'system')),
  ADD COLUMN failure_notice_at timestamptz;
CREATE INDEX batches_failure_notice ON batches (failure_notice_at) WHERE failure_notice_at IS NOT NULL;

-- Only a rejection by a person kept a reason until now, and the system's own reason begins with these words.
UPDATE batches SET sent_back_by = CASE WHEN reprove_reason LIKE 'Enquanto o lote esperava o saldo,%' THEN 'system' ELSE 'person' END
  WHERE status = 'DRAFT' AND reprove_reason IS NOT NULL;

-- Existing companies do not write to the people they pay until an admin turns it on.
UPDATE companies SET settings = settings || '{"emailsPayees": false}'::jsonb WHERE NOT settings ? 'emailsPayees';
