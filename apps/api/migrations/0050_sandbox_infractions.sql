-- The provider of the outside world in miniature: infractions somebody reported at it, what it was answered, and its news.
CREATE TABLE sandbox.infractions (
  id text PRIMARY KEY,
  end_to_end_id text NOT NULL,
  reported_at timestamptz NOT NULL,
  -- What the company answered, once it did: the first answer stands.
  answer jsonb,
  -- The last thing told of it: reported, contested_by_email, or the opinion.
  told text NOT NULL
);

-- What it has to tell. Delivered at least once, in the order in which it happened.
CREATE TABLE sandbox.infraction_events (
  id text PRIMARY KEY,
  payload jsonb NOT NULL,
  due_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  delivered_at timestamptz
);
CREATE INDEX infraction_events_due ON sandbox.infraction_events (due_at) WHERE delivered_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.infractions, sandbox.infraction_events TO malote_sandbox;
