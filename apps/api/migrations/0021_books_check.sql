-- How far the books were found right, so that each minute only what came since is looked at. Everything is looked at again
-- each hour, and by command.
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

-- One check for an installation, whichever of its workers makes it.
CREATE TABLE books_checks (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Whoever began it has until then; a worker that died meanwhile is not waited for any longer.
  claimed_until timestamptz,
  checked_at timestamptz,
  checked_fully_at timestamptz,
  -- Transactions from this one on may have written after the last check looked.
  horizon bigint,
  faults jsonb NOT NULL DEFAULT '[]'
);
INSERT INTO books_checks DEFAULT VALUES;
GRANT SELECT, UPDATE ON books_checks TO malote_system;
