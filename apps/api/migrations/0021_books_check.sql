-- Up to where the books were checked and found right, so that the check of each minute reads only what is newer. Each
-- hour, and by command, everything is checked again.
CREATE TABLE books_positions (
  company_id uuid NOT NULL REFERENCES companies,
  account text NOT NULL,
  seq bigint NOT NULL,
  balance bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, account)
);
SELECT protect_company_table('books_positions', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON books_positions TO malote_system;

-- One check for an installation, whichever of its workers runs it.
CREATE TABLE books_checks (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Until when the worker that claimed the check may take; when it dies, another one starts after that.
  claimed_until timestamptz,
  checked_at timestamptz,
  checked_fully_at timestamptz,
  -- Transactions from this id on may have written after the last check read.
  horizon bigint,
  faults jsonb NOT NULL DEFAULT '[]'
);
INSERT INTO books_checks DEFAULT VALUES;
GRANT SELECT, UPDATE ON books_checks TO malote_system;
