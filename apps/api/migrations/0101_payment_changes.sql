-- The findings of a large batch hold until something changes that they were compared with: not only another closing,
-- but also a correction, a batch sent to approval, an outcome or a saved receiver. Each change is a row: a shared
-- counter would make all who close batches of a company wait for each other.
CREATE TABLE payment_changes (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX payment_changes_by_age ON payment_changes (at);
SELECT protect_company_table('payment_changes', 'SELECT, INSERT, DELETE');

-- The changes that existed when the batch was checked. Findings kept before this are made again.
ALTER TABLE batch_checks ADD COLUMN changes text NOT NULL DEFAULT '';
