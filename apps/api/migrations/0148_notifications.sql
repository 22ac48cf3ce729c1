-- Notifications for the bell of a company's users (decision 0059). A row is an event, written by the transaction that
-- moves the subscriber's cursor, and removed after ninety days.
CREATE TABLE notifications (
  company_id uuid NOT NULL REFERENCES companies,
  -- Of the event: the same one twice is one row.
  position bigint NOT NULL,
  -- The event's type.
  kind text NOT NULL,
  at timestamptz NOT NULL,
  object_id uuid NOT NULL,
  -- The batch that it is about or belongs to.
  batch_id uuid,
  amount bigint CHECK (amount BETWEEN 1 AND 9007199254740991),
  -- Null for the network and the system.
  actor_id uuid,
  actor_name text,
  -- A reason, the payer or the key, as the kind needs.
  about text,
  PRIMARY KEY (company_id, position)
);
CREATE INDEX notifications_by_age ON notifications (at);
SELECT protect_company_table('notifications', 'SELECT, INSERT');
GRANT DELETE ON notifications TO malote_system;

-- The last position that each user has seen.
CREATE TABLE notifications_seen (
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (company_id, user_id),
  FOREIGN KEY (company_id, user_id) REFERENCES users ON DELETE CASCADE
);
SELECT protect_company_table('notifications_seen', 'SELECT, INSERT, UPDATE');

-- The files of one person, the newest first.
CREATE INDEX exports_by_requester ON exports (company_id, requested_by, created_at DESC);
