-- Checks of bank accounts and Pix keys (ContaCerta): what was asked, and what came out of it.
CREATE TABLE validations (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('BASIC', 'MICRO_DEPOSIT')),
  -- By a person on the screen, or by the company's own system.
  source text NOT NULL CHECK (source IN ('APP', 'API')),
  name text,
  tax_id text,
  bank_ispb text,
  agency text,
  agency_digit text,
  account text,
  account_digit text,
  account_type text,
  pix_key_type text,
  pix_key text,
  pix_key_validation text,
  -- NULL while unknown.
  valid boolean,
  errors jsonb NOT NULL DEFAULT '[]',
  micro_deposit_status text CHECK (micro_deposit_status IN ('TRANSFERRED', 'FAILED', 'RETURNED')),
  -- The payment of a micro deposit; none where our own rules refused it before.
  transfer_id uuid,
  validated_at timestamptz,
  created_at timestamptz NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL,
  -- A number and its check digit are adjacent, as people type them. The name comes last, because it alone can be too
  -- long.
  search_text text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    left(fold_text(left(coalesce(tax_id, '') || E'\n' || coalesce(agency, '') || coalesce(agency_digit, '') || E'\n'
      || coalesce(account, '') || coalesce(account_digit, '') || E'\n' || coalesce(pix_key, '') || E'\n'
      || coalesce(name, ''), 500)), 500)) STORED,
  PRIMARY KEY (company_id, id),
  CONSTRAINT validations_known_with_their_moment CHECK ((valid IS NULL) = (validated_at IS NULL)),
  CONSTRAINT validations_wrong_say_why CHECK ((valid IS FALSE) = (jsonb_array_length(errors) > 0)),
  CONSTRAINT validations_basic_are_known CHECK (type = 'MICRO_DEPOSIT' OR (valid IS NOT NULL AND transfer_id IS NULL)),
  CONSTRAINT validations_deposits_have_their_payment CHECK (transfer_id IS NOT NULL OR (valid IS NOT NULL AND micro_deposit_status IS NULL)),
  CONSTRAINT validations_deposits_tell CHECK (transfer_id IS NULL OR (valid IS NULL) = (micro_deposit_status IS NULL))
);
CREATE UNIQUE INDEX validations_by_transfer ON validations (company_id, transfer_id) WHERE transfer_id IS NOT NULL;
-- The list is filtered and counted from this index alone.
CREATE INDEX validations_by_creation ON validations (company_id, created_at DESC, id DESC)
  INCLUDE (type, source, valid, micro_deposit_status, transfer_id, search_text);
SELECT protect_company_table('validations', 'SELECT, INSERT, UPDATE');
