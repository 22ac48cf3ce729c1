-- Each attempt to send a payment to a network is a row (decision 0049), with its key, its answer and the network's own
-- numbers.

-- The connection of the attempt that is under way. Null: from before there were several, so the sandbox.
ALTER TABLE transfers ADD COLUMN connection text;

CREATE TABLE payment_attempts (
  company_id uuid NOT NULL,
  transfer_id uuid NOT NULL,
  -- Of the payment's attempts, from 1. A new one begins after an explicit refusal only.
  number int NOT NULL,
  connection text NOT NULL,
  -- The idempotency key: our end-to-end id, the same for as long as the attempt is in doubt.
  key text NOT NULL,
  submitted_at timestamptz NOT NULL,
  -- How often it was handed over under this key.
  submissions int NOT NULL DEFAULT 1,
  -- unanswered: under way, or its sender died. not_sent: certainly never left; sent again at retry_at.
  -- doubtful: unknown whether the network has it, so the network is asked first. accepted and refused are final.
  result text NOT NULL CHECK (result IN ('unanswered', 'not_sent', 'doubtful', 'accepted', 'refused')),
  answered_at timestamptz,
  -- Why it was refused, did not leave or is in doubt.
  reason text CHECK (length(reason) <= 500),
  -- The answer as received, truncated.
  answer text CHECK (length(answer) <= 2000),
  retry_at timestamptz,
  -- The only index of all its rows, found by key alone: the planner would take a second one that begins with the
  -- company while the table is young, and read all the company ever sent.
  PRIMARY KEY (company_id, key),
  CHECK ((retry_at IS NULL) OR result = 'not_sent')
)
-- The answer is written in place on the same page, and no index is updated.
WITH (fillfactor = 50);
CREATE INDEX payment_attempts_to_retry ON payment_attempts (company_id, connection, retry_at) WHERE retry_at IS NOT NULL;
SELECT protect_company_table('payment_attempts', 'SELECT, INSERT, UPDATE');

-- Numbers that networks gave a payment: beside ours, and never overwritten.
CREATE TABLE provider_references (
  company_id uuid NOT NULL,
  -- Of the attempt.
  key text NOT NULL,
  connection text NOT NULL,
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 50),
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 200),
  first_seen timestamptz NOT NULL,
  PRIMARY KEY (company_id, key, kind, value)
);
CREATE INDEX provider_references_by_value ON provider_references (connection, kind, value);
SELECT protect_company_table('provider_references', 'SELECT, INSERT');
