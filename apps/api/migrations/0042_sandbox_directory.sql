-- The Pix directory of the sandbox network: who holds which key, who claims it, and what its participants were
-- notified of.

CREATE TABLE sandbox.directory_entries (
  key text PRIMARY KEY,
  key_type text NOT NULL,
  -- Null: the key is held at another institution.
  company_id uuid,
  owner_name text NOT NULL,
  owner_tax_id text NOT NULL,
  registered_at timestamptz NOT NULL
);

-- The same id again is the same request, and gets the same answer.
CREATE TABLE sandbox.directory_requests (
  id uuid PRIMARY KEY,
  answer jsonb NOT NULL,
  answered_at timestamptz NOT NULL
);

CREATE TABLE sandbox.directory_claims (
  id uuid PRIMARY KEY,
  key text NOT NULL REFERENCES sandbox.directory_entries,
  kind text NOT NULL CHECK (kind IN ('PORTABILITY', 'CLAIM')),
  -- Null: a customer of another institution.
  holder_id uuid,
  claimer_id uuid,
  claimer_name text NOT NULL,
  claimer_tax_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('OPEN', 'WAITING_RESOLUTION', 'COMPLETED', 'CANCELLED')),
  opened_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX directory_claims_one_a_key ON sandbox.directory_claims (key)
  WHERE state IN ('OPEN', 'WAITING_RESOLUTION');

-- Delivered until the participant acknowledges it, in the order of the positions, which are times of the real clock.
CREATE TABLE sandbox.directory_news (
  id text PRIMARY KEY,
  position uuid NOT NULL DEFAULT uuidv7(),
  payload jsonb NOT NULL,
  heard_at timestamptz
);
CREATE INDEX directory_news_unheard ON sandbox.directory_news (position) WHERE heard_at IS NULL;

-- Short messages to phones.
CREATE TABLE sandbox.texts (
  id uuid PRIMARY KEY,
  position uuid NOT NULL DEFAULT uuidv7(),
  company_id uuid NOT NULL,
  to_number text NOT NULL,
  words text NOT NULL,
  sent_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.directory_entries, sandbox.directory_requests, sandbox.directory_claims,
  sandbox.directory_news, sandbox.texts TO malote_sandbox;

-- Keys that companies already have. Read as a role that sees all of them, since the tables' owner may be subject to
-- row security.
DO $$
DECLARE
  held jsonb;
BEGIN
  SET LOCAL ROLE malote_system;
  SELECT jsonb_agg(jsonb_build_object('key', k.key, 'key_type', k.key_type, 'company_id', k.company_id,
    'owner_name', c.name, 'owner_tax_id', c.tax_id, 'registered_at', k.created_at))
  INTO held FROM pix_keys k JOIN companies c USING (company_id) WHERE k.status = 'REGISTERED';
  RESET ROLE;
  INSERT INTO sandbox.directory_entries
  SELECT * FROM jsonb_populate_recordset(NULL::sandbox.directory_entries, coalesce(held, '[]'))
  ON CONFLICT DO NOTHING;
END $$;
