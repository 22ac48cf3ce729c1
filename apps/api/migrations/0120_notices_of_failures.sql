-- When the makers of a batch are notified of its failed payments, written by the subscriber of those failures: in a
-- table of its own, because the batch's row is locked by the transactions that settle its payments.
CREATE TABLE failure_notices (
  company_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, batch_id)
);
CREATE INDEX failure_notices_due ON failure_notices (due_at);
SELECT protect_company_table('failure_notices', 'SELECT, INSERT, UPDATE, DELETE');
-- As a role that sees all companies: the table's owner may be subject to row security.
SET LOCAL ROLE malote_system;
INSERT INTO failure_notices (company_id, batch_id, due_at)
  SELECT company_id, id, failure_notice_at FROM batches WHERE failure_notice_at IS NOT NULL;
RESET ROLE;
ALTER TABLE batches DROP COLUMN failure_notice_at;
