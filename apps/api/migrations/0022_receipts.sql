-- Files of many receipts, requested by a person and announced by e-mail. The receipts themselves are not stored: each
-- is made from its payment's row on request, and these files are deleted after some days.
CREATE TABLE receipt_requests (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- Of a whole batch, or of these payments; removed with the file.
  batch_id uuid,
  transfer_ids uuid[],
  state text NOT NULL CHECK (state IN ('making', 'ready', 'failed', 'expired')),
  receipts_count int NOT NULL CHECK (receipts_count >= 0),
  file_key text,
  file_bytes bigint CHECK (file_bytes > 0),
  requested_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, requested_by) REFERENCES users,
  CONSTRAINT receipt_requests_ready_have_a_file CHECK ((state = 'ready') = (file_key IS NOT NULL))
);
CREATE INDEX receipt_requests_alive ON receipt_requests (company_id, state) WHERE state IN ('making', 'ready');
SELECT protect_company_table('receipt_requests', 'SELECT, INSERT, UPDATE');
