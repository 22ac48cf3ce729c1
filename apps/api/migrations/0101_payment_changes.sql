-- What was found in a large batch holds until something changes that it was compared with: not only another closing, but a
-- correction, a batch sent to approval, an outcome, a saved receiver. Each is a row of its own: a counter would make all who
-- close batches of a company wait for each other.
CREATE TABLE payment_changes (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX payment_changes_by_age ON payment_changes (at);
SELECT protect_company_table('payment_changes', 'SELECT, INSERT, DELETE');

-- The changes there were when the batch was looked through. What was kept before is looked through again.
ALTER TABLE batch_checks ADD COLUMN changes text NOT NULL DEFAULT '';
