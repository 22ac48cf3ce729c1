-- Events of the payment network that could not be applied, kept for a person to review. They no longer block later
-- events.
CREATE TABLE rail_events_aside (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The company it names: not always one of ours, and null when the event cannot be read.
  company_id uuid,
  event_id text NOT NULL,
  -- unreadable: not an event. contradiction: an unknown payment, or a report that contradicts the books.
  -- failed: an error occurred while it was applied; tried again at try_at.
  why text NOT NULL CHECK (why IN ('unreadable', 'contradiction', 'failed')),
  detail text NOT NULL,
  -- As received. Text, because the content may be nothing that jsonb can hold.
  payload text NOT NULL,
  put_aside_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 1,
  try_at timestamptz,
  CONSTRAINT rail_events_aside_once UNIQUE NULLS NOT DISTINCT (company_id, event_id, why)
);
CREATE INDEX rail_events_aside_to_try ON rail_events_aside (try_at) WHERE try_at IS NOT NULL;
SELECT protect_company_table('rail_events_aside', 'SELECT, INSERT');
GRANT UPDATE, DELETE ON rail_events_aside TO malote_system;
