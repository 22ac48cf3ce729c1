-- People save, change and delete receivers, which until now were only remembered from payments. One table keeps both
-- kinds, so it has to define when two of them are the same receiver.

-- The same key is the same receiver whatever name was typed beside it; accounts are distinguished by their holder's
-- document.
CREATE FUNCTION receiver_destination(pix_key_type text, pix_key text, bank_ispb text, agency text, account text,
  account_digit text, account_type text, tax_id text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- A UUID of version 8 (RFC 9562): the hash, with the version and variant bits set.
RETURN overlay(overlay(md5(CASE
  WHEN pix_key IS NOT NULL THEN 'key|' || coalesce(pix_key_type, '') || '|' || pix_key
  ELSE 'account|' || coalesce(bank_ispb, '') || '|' || coalesce(ltrim(agency, '0'), '') || '|'
    || coalesce(ltrim(account, '0'), '') || '|' || coalesce(account_digit, '') || '|' || coalesce(account_type, '')
    || '|' || coalesce(tax_id, '')
END) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid;

ALTER TABLE receivers DROP COLUMN search_text,
  -- The result of its last payment: none yet, arrived, or the reason for which it did not.
  ADD COLUMN status text NOT NULL DEFAULT 'CREATED' CONSTRAINT receivers_status CHECK (status IN ('CREATED', 'VERIFIED', 'FAILED')),
  ADD COLUMN status_description text,
  ADD COLUMN destination uuid NOT NULL GENERATED ALWAYS AS (
    receiver_destination(pix_key_type, pix_key, bank_ispb, agency, account, account_digit, account_type, tax_id)) STORED,
  -- Cut, because PostgreSQL refuses rows of an index above 2,704 bytes.
  ADD COLUMN name_order text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    left(fold_text(left(coalesce(name, pix_key, ''), 40)), 40)) STORED,
  -- A number and its check digit are adjacent, as people type them. The name comes last, because it alone can be too
  -- long.
  ADD COLUMN search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    left(fold_text(left(coalesce(tax_id, '') || E'\n' || coalesce(agency, '') || coalesce(agency_digit, '') || E'\n'
      || coalesce(account, '') || coalesce(account_digit, '') || E'\n' || coalesce(pix_key, '') || E'\n'
      || coalesce(name, ''), 500)), 500)) STORED;

-- As a role that sees all companies: the tables' owner may be subject to row security.
SET LOCAL ROLE malote_system;
DELETE FROM receivers r USING receivers kept
WHERE kept.company_id = r.company_id AND kept.destination = r.destination
  AND (kept.created_at, kept.id) < (r.created_at, r.id);
UPDATE receivers r SET status = 'VERIFIED'
WHERE EXISTS (
  SELECT FROM transfers t
  WHERE t.company_id = r.company_id AND t.status IN ('TRANSFERRED', 'FINISHED')
    AND receiver_destination(t.pix_key_type, t.pix_key, t.bank_ispb, t.agency, t.account, t.account_digit, t.account_type,
      t.tax_id) = r.destination);
RESET ROLE;

CREATE UNIQUE INDEX receivers_by_destination ON receivers (company_id, destination);
-- The list and the search while typing are answered from this index alone. The status is left out, so that its update
-- stays on the same page and touches no index, for a batch of a hundred thousand at once.
CREATE INDEX receivers_by_name ON receivers (company_id, name_order, id) INCLUDE (search_text, bank_ispb);
ALTER TABLE receivers SET (fillfactor = 80);
