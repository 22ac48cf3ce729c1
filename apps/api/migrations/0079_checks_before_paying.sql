-- Before a batch is paid a person is shown what is unusual in it, and says by name that it was looked at.

-- What was paid to whom before is asked of every payment of a batch. A payment is found by the document of its receiver, or
-- by the key where no document is known. Not `coalesce`: under row security PostgreSQL counts it among what may tell of a row
-- before the policy was asked, and would not use the index.
CREATE INDEX transfers_by_payee ON transfers (company_id, (CASE WHEN tax_id IS NULL THEN pix_key ELSE tax_id END))
  WHERE CASE WHEN tax_id IS NULL THEN pix_key ELSE tax_id END IS NOT NULL;

-- The number of a document in a description: 'NF 0012/3' is nf123. Null without a digit.
CREATE FUNCTION document_in(description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN description ~ '[0-9]' THEN
  nullif(left(regexp_replace(regexp_replace(fold_text(description), '[^a-z0-9]+', '', 'g'),
    '(^|[a-z])0+([0-9])', '\1\2', 'g'), 100), '') END;

-- A name as it is compared: without accents, blanks, small words and legal forms.
CREATE FUNCTION compared_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(regexp_replace(fold_text(name),
  '\y(ltda|me|mei|epp|eireli|s/?a|cia|de|da|do|das|dos|e)\y|[^a-z0-9]+', '', 'g'), '');

-- Ticks, each kept with who gave it and when. A tick is of findings as they were: other ones have another fingerprint.
CREATE TABLE check_confirmations (
  company_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  kind text NOT NULL,
  fingerprint text NOT NULL,
  confirmed_by uuid NOT NULL,
  confirmed_by_name text NOT NULL,
  confirmed_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, batch_id, kind, fingerprint, confirmed_by),
  FOREIGN KEY (company_id, batch_id) REFERENCES batches
);
SELECT protect_company_table('check_confirmations', 'SELECT, INSERT');

-- What was found in a large batch, so that closing it does not look through a hundred thousand payments again. It holds for
-- the content and the day it was made of, until another batch of the company is closed.
CREATE TABLE batch_checks (
  company_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  revision int NOT NULL,
  checked_at timestamptz NOT NULL,
  found jsonb NOT NULL,
  PRIMARY KEY (company_id, batch_id),
  FOREIGN KEY (company_id, batch_id) REFERENCES batches
);
SELECT protect_company_table('batch_checks', 'SELECT, INSERT, UPDATE');
CREATE INDEX batches_by_closing ON batches (company_id, closed_at) WHERE closed_at IS NOT NULL;
