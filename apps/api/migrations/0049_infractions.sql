-- Infractions of Pix that a company received (MED), its answers, the money that went back, and requested exports of
-- the list.

CREATE TABLE infractions (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- The provider's own id of it: an infraction reported twice is one row.
  provider_id text NOT NULL CHECK (char_length(provider_id) BETWEEN 1 AND 200),
  -- Of the Pix it is about.
  transaction_id text NOT NULL CHECK (char_length(transaction_id) <= 100),
  txid text CHECK (char_length(txid) <= 100),
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  payer_name text NOT NULL,
  payer_tax_id text,
  situation_type text NOT NULL
    CHECK (situation_type IN ('scam', 'account_takeover', 'coercion', 'fraudulent_access', 'other', 'unknown')),
  infraction_description text CHECK (char_length(infraction_description) <= 2000),
  infraction_date timestamptz NOT NULL,
  analysis_due_at timestamptz NOT NULL CHECK (analysis_due_at > infraction_date),
  analysis_status text NOT NULL DEFAULT 'pending'
    CHECK (analysis_status IN ('pending', 'accepted', 'rejected', 'delayed', 'canceled')),
  contested_at timestamptz,
  -- What the provider says of it: its own word, which may be one that this version does not know.
  opinion text NOT NULL DEFAULT 'pending' CHECK (char_length(opinion) BETWEEN 1 AND 50),
  analysis_description text CHECK (char_length(analysis_description) <= 4000),
  -- Null: no person of the company answered.
  analysed_by uuid,
  analysed_by_name text,
  analysed_at timestamptz,
  file_key text,
  file_name text,
  file_type text,
  file_bytes bigint CHECK (file_bytes BETWEEN 1 AND 15728640),
  -- When the provider took the answer.
  told_at timestamptz,
  -- How often it was offered to the provider, and when it is offered next: an answer that is not taken does not delay
  -- the others.
  tell_tries int NOT NULL DEFAULT 0,
  tell_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (company_id, id),
  CONSTRAINT infractions_told_once UNIQUE (company_id, provider_id),
  CONSTRAINT infractions_analysed_by_somebody CHECK ((analysed_by IS NULL) = (analysed_by_name IS NULL)),
  CONSTRAINT infractions_file_whole CHECK (num_nulls(file_key, file_name, file_type, file_bytes) IN (0, 4)),
  CONSTRAINT infractions_answered_once CHECK (
    analysis_status <> 'pending' OR num_nonnulls(analysis_description, analysed_at, file_key, told_at) = 0)
);
CREATE INDEX infractions_by_date ON infractions (company_id, infraction_date DESC, id DESC);
CREATE INDEX infractions_unanswered ON infractions (analysis_due_at) WHERE analysis_status = 'pending';
CREATE INDEX infractions_untold ON infractions (company_id, tell_at, analysed_at)
  WHERE analysis_status IN ('accepted', 'rejected', 'delayed') AND told_at IS NULL;
SELECT protect_company_table('infractions', 'SELECT, INSERT, UPDATE');

-- How much is to go back to the payer of an infraction, and how much of it did.
CREATE TABLE infraction_refunds (
  company_id uuid NOT NULL,
  infraction_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'closed', 'canceled')),
  amount bigint NOT NULL CHECK (amount > 0),
  refunded_amount bigint NOT NULL DEFAULT 0,
  begun_at timestamptz NOT NULL,
  refund_date timestamptz,
  monitoring_ends_at timestamptz NOT NULL CHECK (monitoring_ends_at > begun_at),
  PRIMARY KEY (company_id, infraction_id),
  FOREIGN KEY (company_id, infraction_id) REFERENCES infractions,
  CONSTRAINT infraction_refunds_never_more CHECK (refunded_amount BETWEEN 0 AND amount),
  CONSTRAINT infraction_refunds_dated CHECK ((refunded_amount > 0) = (refund_date IS NOT NULL)),
  CONSTRAINT infraction_refunds_whole_are_over CHECK (status <> 'pending' OR refunded_amount < amount)
);
CREATE INDEX infraction_refunds_monitored ON infraction_refunds (company_id, begun_at) WHERE status = 'pending';
SELECT protect_company_table('infraction_refunds', 'SELECT, INSERT, UPDATE');

-- Each attempt to give it back.
CREATE TABLE infraction_refund_movements (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  infraction_id uuid NOT NULL,
  attempt_status text NOT NULL CHECK (attempt_status IN ('succeeded', 'processing', 'failed')),
  attempt_date timestamptz NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- The id of the return in the Pix system; an attempt that moved nothing has none.
  return_id text UNIQUE,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, infraction_id) REFERENCES infraction_refunds,
  CONSTRAINT infraction_refund_movements_named CHECK (attempt_status <> 'succeeded' OR return_id IS NOT NULL)
);
CREATE INDEX infraction_refund_movements_by_infraction
  ON infraction_refund_movements (company_id, infraction_id, attempt_date DESC, id DESC);
SELECT protect_company_table('infraction_refund_movements', 'SELECT, INSERT, UPDATE');

-- Exports of infractions: requested by a person, announced by e-mail, and deleted after some days.
CREATE TABLE infraction_exports (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  filters jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('processing', 'succeeded', 'failed', 'expired')),
  file_key text,
  requested_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, requested_by) REFERENCES users,
  CONSTRAINT infraction_exports_ready_have_a_file CHECK ((state = 'succeeded') = (file_key IS NOT NULL))
);
CREATE INDEX infraction_exports_alive ON infraction_exports (company_id, state) WHERE state IN ('processing', 'succeeded');
SELECT protect_company_table('infraction_exports', 'SELECT, INSERT, UPDATE');
