-- Each transaction writes its events as rows, and subscribers act on them (decision 0046). The outbox is only inserted
-- into; the relay alone empties it.
CREATE TABLE outbox (
  company_id uuid NOT NULL,
  -- Orders the events of one object, whose row their writer holds; never compared between objects.
  n bigint GENERATED ALWAYS AS IDENTITY,
  id uuid NOT NULL DEFAULT uuidv7(),
  type text NOT NULL,
  version smallint NOT NULL,
  object_kind text NOT NULL,
  object_id uuid NOT NULL,
  payload jsonb NOT NULL,
  cause text,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, n)
)
-- Almost always empty: dead rows are vacuumed at once, so that no scan has to pass over them.
WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
SELECT protect_company_table('outbox', 'INSERT');
GRANT SELECT, DELETE ON outbox TO malote_system;

-- The last assigned position. One relay moves events at a time, so a reader past a position has seen all earlier ones.
CREATE TABLE event_relay (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  position bigint NOT NULL
);
INSERT INTO event_relay (position) VALUES (0);
GRANT SELECT, UPDATE ON event_relay TO malote_system;

CREATE TABLE event_log (
  company_id uuid NOT NULL,
  position bigint NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  version smallint NOT NULL,
  object_kind text NOT NULL,
  object_id uuid NOT NULL,
  payload jsonb NOT NULL,
  cause text,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, position)
);
SELECT protect_company_table('event_log', 'SELECT');
GRANT INSERT, DELETE ON event_log TO malote_system;
CREATE INDEX event_log_by_age ON event_log USING brin (at);

-- The last position of each type, so that finding subscribers with waiting events does not read the log.
CREATE TABLE event_heads (
  company_id uuid NOT NULL,
  type text NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (company_id, type)
);
SELECT protect_company_table('event_heads', 'SELECT');
GRANT INSERT, UPDATE ON event_heads TO malote_system;

-- First position of a subscriber: one that is new in an upgrade ignores earlier events.
CREATE TABLE event_subscribers (
  name text PRIMARY KEY,
  since bigint NOT NULL
);
GRANT SELECT, INSERT ON event_subscribers TO malote_system;

-- Position of a subscriber in a company's events. It moves in the transaction of the effect.
CREATE TABLE event_cursors (
  company_id uuid NOT NULL,
  subscriber text NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (company_id, subscriber)
);
SELECT protect_company_table('event_cursors', 'SELECT, INSERT, UPDATE');

-- Events whose handling failed, and later ones of the same object, which wait behind them. The first of an object is tried again
-- with backoff until `dead_at`; from then on a person decides.
CREATE TABLE event_dead_letters (
  company_id uuid NOT NULL,
  subscriber text NOT NULL,
  position bigint NOT NULL,
  object_kind text NOT NULL,
  object_id uuid NOT NULL,
  tries int NOT NULL,
  detail text,
  since timestamptz NOT NULL,
  try_at timestamptz NOT NULL,
  dead_at timestamptz,
  PRIMARY KEY (company_id, subscriber, position)
);
CREATE INDEX event_dead_letters_of_object ON event_dead_letters (company_id, subscriber, object_kind, object_id, position);
SELECT protect_company_table('event_dead_letters', 'SELECT, INSERT, UPDATE, DELETE');
