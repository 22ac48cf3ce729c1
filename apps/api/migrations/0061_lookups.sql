-- What directories and registers answered about the receiver before payment: who holds a Pix key, and how a boleto is
-- registered. Looked up once for a company and kept for a while, with the person who asked: directories count
-- lookups, and the law demands to know who made them.
CREATE TABLE key_lookups (
  company_id uuid NOT NULL REFERENCES companies,
  pix_key text NOT NULL CHECK (char_length(pix_key) <= 77),
  key_type text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('found', 'not_found', 'silent')),
  holder_name text,
  -- Unmasked, for comparison; no call shows a person's document.
  holder_tax_id text,
  holder_bank_ispb text,
  is_salary_account boolean NOT NULL DEFAULT false,
  asked_by uuid,
  asked_by_name text NOT NULL,
  asked_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, pix_key),
  CONSTRAINT key_lookups_found_have_a_holder CHECK ((outcome = 'found') = (holder_tax_id IS NOT NULL))
);
SELECT protect_company_table('key_lookups', 'SELECT, INSERT, UPDATE');

CREATE TABLE billet_lookups (
  company_id uuid NOT NULL REFERENCES companies,
  barcode text NOT NULL CHECK (barcode ~ '^[0-9]{44}$'),
  outcome text NOT NULL CHECK (outcome IN ('payable', 'paid', 'unpayable', 'not_registered', 'silent')),
  -- `RegisteredBillet` of the domain.
  registered jsonb,
  asked_by uuid,
  asked_by_name text NOT NULL,
  asked_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, barcode),
  CONSTRAINT billet_lookups_known_are_registered
    CHECK ((registered IS NOT NULL) = (outcome IN ('payable', 'paid', 'unpayable')))
);
SELECT protect_company_table('billet_lookups', 'SELECT, INSERT, UPDATE');

-- How many lookups the Pix directory still answers: its protection against people who try keys counts for each
-- institution's client.
CREATE TABLE lookup_allowances (
  company_id uuid PRIMARY KEY REFERENCES companies,
  tokens numeric(8, 2) NOT NULL CHECK (tokens >= 0),
  counted_at timestamptz NOT NULL
);
SELECT protect_company_table('lookup_allowances', 'SELECT, INSERT, UPDATE');

ALTER TABLE transfers
  -- A Pix code as it was pasted, and the charge it stands for: `PixCharge` of the domain, as last read.
  ADD COLUMN emv text CHECK (char_length(emv) <= 512),
  ADD COLUMN emv_data jsonb,
  -- Of a dynamic code: it identifies one charge, which is paid once.
  ADD COLUMN emv_location text,
  -- The last moment at which the amount in `value` is valid.
  ADD COLUMN emv_until timestamptz,
  -- The network's id of the returned money.
  ADD COLUMN return_code text;
-- The last defence against paying one charge twice; closing a batch refuses it before.
CREATE UNIQUE INDEX transfers_living_codes ON transfers (company_id, emv_location)
  WHERE emv_location IS NOT NULL AND status NOT IN ('CREATED', 'FAILED', 'RETURNED');
CREATE INDEX transfers_by_code ON transfers (company_id, emv_location) WHERE emv_location IS NOT NULL;
