-- Events of a batch, a payment or a payin, kept forever beside the audit trail (decision 0054), because the event log
-- keeps fourteen days. A row is an event, written by the transaction that moves the subscriber's cursor, and never
-- changed.
CREATE TABLE object_history (
  company_id uuid NOT NULL,
  object_kind text NOT NULL CHECK (object_kind IN ('batch', 'payment', 'payin')),
  object_id uuid NOT NULL,
  -- Of the event: the same one twice is one row, and those of one object are in the order of its changes.
  position bigint NOT NULL,
  -- The event's type.
  what text NOT NULL CHECK (what LIKE object_kind || '.%'),
  at timestamptz NOT NULL,
  amount bigint CHECK (amount BETWEEN 1 AND 9007199254740991),
  -- The status of the object since then, where the event has one.
  status text,
  -- The reason, as text or as a code of the party that refused it.
  reason text,
  -- The attempt's number.
  attempt int CHECK (attempt > 0),
  scheduled_for timestamptz,
  refund_id uuid,
  -- Null where the event names no actor.
  actor_kind text CHECK (actor_kind IN ('user', 'machine', 'system', 'network')),
  actor_id uuid,
  actor_name text,
  PRIMARY KEY (company_id, object_kind, object_id, position)
);
SELECT protect_company_table('object_history', 'SELECT, INSERT');
