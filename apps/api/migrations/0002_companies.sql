-- Companies, their people, their sessions and their own systems.

CREATE TABLE companies (
  company_id uuid PRIMARY KEY,
  name text NOT NULL,
  tax_id text NOT NULL,
  brand text NOT NULL CHECK (brand IN ('malote', 'horizonte')),
  blocked boolean NOT NULL DEFAULT false,
  accepted_contract boolean NOT NULL DEFAULT true,
  feature_flags text[] NOT NULL DEFAULT '{}',
  permissions text[] NOT NULL DEFAULT '{all}',
  -- The account at the provider: what a payer enters to send the company a TED.
  account_agency text NOT NULL,
  account_number text NOT NULL,
  account_digit text NOT NULL,
  -- Company settings (SET-020), one object because they are always read and written as one.
  settings jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
SELECT protect_company_table('companies', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE company_bank_accounts (
  company_id uuid NOT NULL REFERENCES companies,
  source text NOT NULL CHECK (source IN ('WITHDRAW', 'PIX')),
  account jsonb NOT NULL,
  PRIMARY KEY (company_id, source)
);
SELECT protect_company_table('company_bank_accounts', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE pix_keys (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  key_type text NOT NULL,
  key text NOT NULL,
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, key)
);
SELECT protect_company_table('pix_keys', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE users (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  profile text NOT NULL CHECK (profile IN ('admin', 'operator', 'analyst')),
  applications text[] NOT NULL,
  -- Encrypted; present from the moment a secret was shown, in force once two_factor_at is set.
  two_factor_secret text,
  two_factor_at timestamptz,
  -- The last 30-second step whose code was accepted: a code is good once.
  two_factor_last_step bigint NOT NULL DEFAULT 0,
  -- Grows when the password, the role or the second factor changes: every older token becomes invalid.
  session_version int NOT NULL DEFAULT 1,
  removed_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
SELECT protect_company_table('users', 'SELECT, INSERT, UPDATE, DELETE');

-- Maps a typed sign-in name to its company. Not company-owned: it is how a company is found.
CREATE TABLE sign_in_names (
  name text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('user', 'credential')),
  company_id uuid NOT NULL,
  subject_id uuid NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_names TO malote_app, malote_system;

CREATE TABLE sessions (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  application text NOT NULL,
  session_version int NOT NULL,
  -- Each token exchanges once; the one before still does for a few seconds, for tabs that renew together.
  token_id uuid NOT NULL,
  previous_token_id uuid,
  renewed_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users
);
SELECT protect_company_table('sessions', 'SELECT, INSERT, UPDATE, DELETE');

CREATE TABLE api_credentials (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  client_id text NOT NULL,
  secret_hash text NOT NULL,
  profile text NOT NULL CHECK (profile IN ('admin', 'operator', 'analyst')),
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, client_id)
);
SELECT protect_company_table('api_credentials', 'SELECT, INSERT, UPDATE, DELETE');

-- Failed sign-ins of the last minutes, by account and by address (S8).
CREATE TABLE sign_in_failures (
  subject text NOT NULL,
  failed_at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  PRIMARY KEY (subject, failed_at, id)
);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (failed_at);
GRANT SELECT, INSERT, DELETE ON sign_in_failures TO malote_app, malote_system;

CREATE TABLE checkpoints (
  company_id uuid NOT NULL REFERENCES companies,
  checkpoint_id text NOT NULL,
  user_id uuid NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, checkpoint_id, user_id)
);
SELECT protect_company_table('checkpoints', 'SELECT, INSERT');

CREATE TABLE blocked_tax_ids (
  tax_id text PRIMARY KEY,
  reason text NOT NULL
);
GRANT SELECT ON blocked_tax_ids TO malote_app, malote_system;
GRANT INSERT, DELETE ON blocked_tax_ids TO malote_system;

-- Who did what. Each row is written in the transaction of the change itself.
CREATE TABLE audit_entries (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'machine', 'system')),
  actor_id uuid,
  actor_name text NOT NULL,
  action text NOT NULL,
  subject_id text,
  detail jsonb NOT NULL DEFAULT '{}',
  request_id text,
  PRIMARY KEY (company_id, id)
);
SELECT protect_company_table('audit_entries', 'SELECT, INSERT');

-- Answers already given, so that the same request sent again gets the same bytes and moves no second centavo.
CREATE TABLE idempotency_keys (
  company_id uuid NOT NULL REFERENCES companies,
  route text NOT NULL,
  key text NOT NULL CHECK (char_length(key) BETWEEN 1 AND 64),
  request_hash text NOT NULL,
  status int NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, route, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
SELECT protect_company_table('idempotency_keys', 'SELECT, INSERT, DELETE');

CREATE TABLE mails (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  to_address text NOT NULL,
  subject text NOT NULL,
  text_body text NOT NULL,
  html_body text NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  PRIMARY KEY (company_id, id)
);
SELECT protect_company_table('mails', 'SELECT, INSERT, UPDATE, DELETE');
