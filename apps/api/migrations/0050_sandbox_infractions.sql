-- The provider's part of the simulation: infractions reported at it, the answers it got, and the events it reports.
CREATE TABLE sandbox.infractions (
  id text PRIMARY KEY,
  end_to_end_id text NOT NULL,
  reported_at timestamptz NOT NULL,
  -- The company's answer, once given: the first answer is final.
  answer jsonb,
  -- The last event reported of it: reported, contested_by_email, or the opinion.
  told text NOT NULL
);

-- Events that it has to report. Delivered at least once, in the order in which they happened.
CREATE TABLE sandbox.infraction_events (
  id text PRIMARY KEY,
  payload jsonb NOT NULL,
  due_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  delivered_at timestamptz
);
CREATE INDEX infraction_events_due ON sandbox.infraction_events (due_at) WHERE delivered_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.infractions, sandbox.infraction_events TO malote_sandbox;
