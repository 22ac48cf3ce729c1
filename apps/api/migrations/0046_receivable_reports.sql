-- Sheets of payins and of card receivables that a person requested: the request, not the rows. The rows are written
-- while the file is fetched, so no copy of them is stored.
CREATE TABLE receivable_reports (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payins', 'card_receivables')),
  -- The filters of the list, in the wire's own names.
  filters jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX receivable_reports_by_age ON receivable_reports (created_at);
SELECT protect_company_table('receivable_reports', 'SELECT, INSERT, DELETE');
