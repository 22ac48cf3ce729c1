-- A simulation of the outside: other banks, the Pix system and e-mail delivery. It has a schema of its own; the
-- product never reads it, and production never writes it.
CREATE SCHEMA sandbox;

CREATE TABLE sandbox.settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- How far the simulated clock is ahead of the real one.
  clock_ahead_ms bigint NOT NULL DEFAULT 0 CHECK (clock_ahead_ms >= 0),
  pix_latency_ms int NOT NULL DEFAULT 800,
  failure_percent numeric NOT NULL DEFAULT 0,
  timeout_percent numeric NOT NULL DEFAULT 0,
  duplicate_percent numeric NOT NULL DEFAULT 0
);
INSERT INTO sandbox.settings DEFAULT VALUES;

-- Orders the network accepted. The end-to-end id alone identifies a payment: a repeated id is the same payment.
CREATE TABLE sandbox.orders (
  end_to_end_id text PRIMARY KEY,
  company_id uuid NOT NULL,
  method text NOT NULL,
  value bigint NOT NULL,
  order_data jsonb NOT NULL,
  accepted_at timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('settled', 'failed', 'returned')),
  outcome_text text
);

-- How often a call named this order, counted while answers are lost on purpose: each try succeeds or fails on its
-- own.
CREATE TABLE sandbox.calls (
  end_to_end_id text PRIMARY KEY,
  times int NOT NULL DEFAULT 1
);

-- Events that the network has to report. Delivered at least once.
CREATE TABLE sandbox.events (
  id text PRIMARY KEY,
  -- The party that receives the event: the company that sent the order, or the Pix key that was paid.
  party text NOT NULL,
  end_to_end_id text NOT NULL,
  payload jsonb NOT NULL,
  -- When it is delivered next; postponed when delivery fails. The payload holds the time at which it happened.
  due_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  delivered_at timestamptz
);
CREATE INDEX events_due ON sandbox.events (due_at) WHERE delivered_at IS NULL;

CREATE TABLE sandbox.mails (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL,
  to_address text NOT NULL,
  subject text NOT NULL,
  text_body text NOT NULL,
  html_body text NOT NULL,
  brand text NOT NULL,
  sent_at timestamptz NOT NULL
);

DO $$
BEGIN
  BEGIN
    CREATE ROLE malote_sandbox NOLOGIN NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END;
  EXECUTE format('GRANT malote_sandbox TO %I', current_user);
END $$;
GRANT USAGE ON SCHEMA sandbox TO malote_sandbox;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA sandbox TO malote_sandbox;
