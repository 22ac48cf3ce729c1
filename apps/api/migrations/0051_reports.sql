-- Reports that a person requested: made by a job, announced by e-mail, and kept as a file for some days, as the
-- receipts are.
CREATE TABLE report_requests (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN
    ('payouts', 'statement_xlsx', 'statement_xlsx_v2', 'statement_csv', 'statement_ofx', 'statement_pdf')),
  initial_date date NOT NULL,
  end_date date NOT NULL CHECK (end_date >= initial_date),
  -- Of a report of payouts: statuses, search and bank.
  filter jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL CHECK (state IN ('making', 'ready', 'failed', 'expired')),
  rows_count int CHECK (rows_count >= 0),
  file_key text,
  file_bytes bigint CHECK (file_bytes > 0),
  requested_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, requested_by) REFERENCES users,
  CONSTRAINT report_requests_ready_have_a_file CHECK ((state = 'ready') = (file_key IS NOT NULL))
);
CREATE INDEX report_requests_alive ON report_requests (company_id, state) WHERE state IN ('making', 'ready');
SELECT protect_company_table('report_requests', 'SELECT, INSERT, UPDATE');
