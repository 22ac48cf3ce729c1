-- Before a batch is paid, a person is shown what is unusual in it and confirms by name to have seen it.

-- The checks look up, for every payment of a batch, what was paid to its receiver before. A payment is found by the
-- document of its receiver, or by the key where no document is known. Not `coalesce`: under row security PostgreSQL
-- considers it leaky and would not use the index before the policy.
CREATE INDEX transfers_by_payee ON transfers (company_id, (CASE WHEN tax_id IS NULL THEN pix_key ELSE tax_id END))
  WHERE CASE WHEN tax_id IS NULL THEN pix_key ELSE tax_id END IS NOT NULL;

-- The document number in a description: 'NF 0012/3' is nf123. Null without a digit.
CREATE FUNCTION document_in(description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN description ~ '[0-9]' THEN
  nullif(left(regexp_replace(regexp_replace(fold_text(description), '[^a-z0-9]+', '', 'g'),
    '(^|[a-z])0+([0-9])', '\1\2', 'g'), 100), '') END;

-- A name normalised for comparison: without accents, blanks, small words and legal forms.
CREATE FUNCTION compared_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(regexp_replace(fold_text(name),
  '\y(ltda|me|mei|epp|eireli|s/?a|cia|de|da|do|das|dos|e)\y|[^a-z0-9]+', '', 'g'), '');

-- Confirmations, each with the person and the time. A confirmation is of exact findings: changed findings have
-- another fingerprint.
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

-- The findings of a large batch, so that closing it does not look through a hundred thousand payments again. They
-- hold for the content and the day they were made of, until another batch of the company is closed.
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
