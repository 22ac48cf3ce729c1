-- One inbox for what networks report (decision 0063): over which connection and by which feed it came. An event's id
-- is its network's own, so two networks may use the same one. The previous version names neither: its rows are of the
-- sandbox, which called us.
ALTER TABLE rail_events ADD COLUMN connection text NOT NULL DEFAULT 'sandbox';
-- answer: what a call of ours was answered. webhook: the network called us. poll: we asked. file: a line of a file.
ALTER TABLE rail_events ADD COLUMN feed text NOT NULL DEFAULT 'webhook' CHECK (feed IN ('answer', 'webhook', 'poll', 'file'));
ALTER TABLE rail_events DROP CONSTRAINT rail_events_pkey, ADD PRIMARY KEY (company_id, connection, event_id);
-- Reports of incoming money may be of a charge or a refund.
ALTER TABLE rail_events ALTER COLUMN end_to_end_id DROP NOT NULL;

ALTER TABLE rail_events_aside ADD COLUMN connection text NOT NULL DEFAULT 'sandbox';
ALTER TABLE rail_events_aside DROP CONSTRAINT rail_events_aside_once,
  ADD CONSTRAINT rail_events_aside_once UNIQUE NULLS NOT DISTINCT (company_id, connection, event_id, why);
