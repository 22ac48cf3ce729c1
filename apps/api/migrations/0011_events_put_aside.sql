-- Events of the payment network that could not be applied, kept for a person to look at. They no longer hold up the others.
CREATE TABLE rail_events_aside (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Whom it names: not always a company of ours, and nobody when it cannot be read.
  company_id uuid,
  event_id text NOT NULL,
  -- unreadable: not an event. contradiction: a payment nobody knows, or news the books tell another way.
  -- failed: something went wrong while it was applied; tried again at try_at.
  why text NOT NULL CHECK (why IN ('unreadable', 'contradiction', 'failed')),
  detail text NOT NULL,
  -- As it came. Text, because what came may be nothing that jsonb can hold.
  payload text NOT NULL,
  put_aside_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 1,
  try_at timestamptz,
  CONSTRAINT rail_events_aside_once UNIQUE NULLS NOT DISTINCT (company_id, event_id, why)
);
CREATE INDEX rail_events_aside_to_try ON rail_events_aside (try_at) WHERE try_at IS NOT NULL;
SELECT protect_company_table('rail_events_aside', 'SELECT, INSERT');
GRANT UPDATE, DELETE ON rail_events_aside TO malote_system;
