-- Batches and the payments inside them.

CREATE TABLE sheets (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  file_name text NOT NULL,
  file_key text NOT NULL,
  file_bytes bigint NOT NULL,
  kind text,
  state text NOT NULL CHECK (state IN ('uploaded', 'reading', 'imported', 'refused', 'cancelled')),
  rows_read int NOT NULL DEFAULT 0,
  rows_total int,
  refusal jsonb,
  batch_id uuid,
  uploaded_by uuid,
  uploaded_by_name text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
SELECT protect_company_table('sheets', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE batches (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  type text NOT NULL CHECK (type IN ('TRANSFER', 'BILLET')),
  status text NOT NULL CHECK (status IN ('DRAFT', 'VALIDATING', 'PENDING', 'WAITING_APPROVAL', 'WAITING', 'RECEIVED', 'FINISHED', 'RETURNED', 'REMOVED')),
  -- Totals of the batch's payments, kept by each statement that writes them, so that no screen has to count.
  value bigint NOT NULL DEFAULT 0 CHECK (value BETWEEN 0 AND 9007199254740991),
  payments_count int NOT NULL DEFAULT 0 CHECK (payments_count >= 0),
  errors_count int NOT NULL DEFAULT 0 CHECK (errors_count >= 0),
  paid_count int NOT NULL DEFAULT 0 CHECK (paid_count >= 0),
  failed_count int NOT NULL DEFAULT 0 CHECK (failed_count >= 0),
  returned_count int NOT NULL DEFAULT 0 CHECK (returned_count >= 0),
  returned_value bigint NOT NULL DEFAULT 0 CHECK (returned_value >= 0),
  -- What the ledger holds for it: its value at closing, less what was paid or given back since.
  reserved_value bigint NOT NULL DEFAULT 0 CHECK (reserved_value >= 0 AND reserved_value <= value),
  revision int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL,
  sheet_id uuid,
  spreadsheet_file_name text,
  was_imported boolean NOT NULL DEFAULT false,
  -- The approval is bound to the content that was sent to approval: another digest voids it.
  approval_revision int,
  approval_digest text,
  reprove_reason text CHECK (char_length(reprove_reason) <= 255),
  -- Each closing is a cause of its own in the ledger: a batch may be closed, reopened and closed again.
  closings int NOT NULL DEFAULT 0,
  closed_at timestamptz,
  waiting_since timestamptz,
  received_date timestamptz,
  finish_date timestamptz,
  returned_date timestamptz,
  reconciled boolean NOT NULL DEFAULT false,
  cancel_requested_at timestamptz,
  is_canceled boolean NOT NULL DEFAULT false,
  removed_at timestamptz,
  PRIMARY KEY (company_id, id),
  CONSTRAINT batches_counts_fit CHECK (paid_count + failed_count + returned_count <= payments_count)
);
CREATE INDEX batches_by_creation ON batches (company_id, created_at DESC, id DESC) WHERE status <> 'REMOVED';
CREATE INDEX batches_waiting ON batches (company_id, waiting_since, id) WHERE status = 'WAITING';
CREATE INDEX batches_closing ON batches (company_id, id) WHERE status = 'PENDING';
SELECT protect_company_table('batches', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE transfers (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  batch_id uuid NOT NULL,
  -- The order the person gave: row of the sheet, or order of typing.
  position int NOT NULL,
  status text NOT NULL CHECK (status IN ('CREATED', 'RECEIVED', 'SCHEDULED', 'EXECUTING', 'EM_REMESSA', 'TRANSFERRED', 'FINISHED', 'FAILED', 'FAILED_INTERNAL', 'BEING_RETURNED', 'RETURNED', 'REQUESTED_REFUND')),
  -- A draft may not have it yet.
  value bigint CHECK (value BETWEEN 0 AND 9007199254740991),
  payment_method text NOT NULL CHECK (payment_method IN ('PIX', 'TED', 'TEV')),
  payment_date date,
  integration_id text,
  name text,
  tax_id text,
  email text,
  bank_ispb text,
  agency text,
  agency_digit text,
  account text,
  account_digit text,
  account_type text,
  pix_key_type text,
  pix_key text,
  pix_key_validation text,
  pix_description text,
  errors jsonb,
  warnings jsonb,
  sheet_row int,
  sheet_cells jsonb,
  status_description text,
  -- The earliest moment it may be sent; set when the batch closes.
  execute_at timestamptz,
  -- Counts how often it was sent: a corrected payment is a new order to the bank.
  attempt int NOT NULL DEFAULT 0,
  end_to_end_id text,
  claimed_at timestamptz,
  sent_at timestamptz,
  transfer_date timestamptz,
  returned_date timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, batch_id) REFERENCES batches ON DELETE CASCADE,
  CONSTRAINT transfers_closed_are_whole CHECK (status = 'CREATED' OR (value > 0 AND errors IS NULL))
);
CREATE INDEX transfers_in_batch ON transfers (company_id, batch_id, position, id);
CREATE INDEX transfers_wrong ON transfers (company_id, batch_id, position) WHERE errors IS NOT NULL;
CREATE INDEX transfers_failed ON transfers (company_id, batch_id, position) WHERE status = 'FAILED';
-- A released batch is due at one instant. With the id in the index, a worker reads the five hundred it takes; without,
-- it sorted all that were left, each time.
CREATE INDEX transfers_due ON transfers (company_id, execute_at, id) WHERE status IN ('RECEIVED', 'SCHEDULED');
-- Only payments that were claimed and are not known to have been handed over. Payments that wait for the network's
-- answer are many, and none of them is an orphan.
CREATE INDEX transfers_on_their_way ON transfers (company_id, claimed_at) WHERE status = 'EXECUTING' AND sent_at IS NULL;
-- Which drafts have a day that has passed, asked at each closing.
CREATE INDEX transfers_dated ON transfers (company_id, batch_id, payment_date)
  WHERE status = 'CREATED' AND payment_date IS NOT NULL;
CREATE INDEX transfers_by_integration_id ON transfers (company_id, integration_id) WHERE integration_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_by_end_to_end_id ON transfers (company_id, end_to_end_id) WHERE end_to_end_id IS NOT NULL;
SELECT protect_company_table('transfers', 'SELECT, INSERT, UPDATE, DELETE');

-- One id for a payment's receiver: the same key or account is the same receiver in every batch.
CREATE FUNCTION receiver_id(t transfers) RETURNS uuid LANGUAGE sql STABLE AS $$
  -- A UUID of version 8 (RFC 9562): the hash, with the version and variant bits set.
  SELECT overlay(overlay(
    md5(concat_ws('|', t.company_id, t.pix_key_type, t.pix_key, t.bank_ispb, t.agency, t.account, t.account_digit,
                  t.account_type, t.tax_id, CASE WHEN t.pix_key IS NULL THEN upper(t.name) END))
    PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid
$$;

-- Events of the payment network, each applied once however often it is delivered.
CREATE TABLE rail_events (
  company_id uuid NOT NULL REFERENCES companies,
  event_id text NOT NULL,
  kind text NOT NULL,
  end_to_end_id text NOT NULL,
  payload jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, event_id)
);
SELECT protect_company_table('rail_events', 'SELECT, INSERT, UPDATE');

-- People and companies paid before, for the search in the payment form.
CREATE TABLE receivers (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  name text,
  tax_id text,
  email text,
  bank_ispb text,
  agency text,
  agency_digit text,
  account text,
  account_digit text,
  account_type text,
  pix_key_type text,
  pix_key text,
  search_text text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
SELECT protect_company_table('receivers', 'SELECT, INSERT, UPDATE, DELETE');
