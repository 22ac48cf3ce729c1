-- One inbox for reports of networks (decision 0063), each with its connection and feed. An event's id is its network's
-- own, so two networks may use the same one. The previous version names neither: its rows are of the sandbox, which
-- called us.
ALTER TABLE rail_events ADD COLUMN connection text NOT NULL DEFAULT 'sandbox';
-- answer: the answer to our call. webhook: a call of the network. poll: the answer to our query. file: a line of a
-- file.
ALTER TABLE rail_events ADD COLUMN feed text NOT NULL DEFAULT 'webhook' CHECK (feed IN ('answer', 'webhook', 'poll', 'file'));
ALTER TABLE rail_events DROP CONSTRAINT rail_events_pkey, ADD PRIMARY KEY (company_id, connection, event_id);
-- Reports of incoming money may be of a charge or a refund.
ALTER TABLE rail_events ALTER COLUMN end_to_end_id DROP NOT NULL;

ALTER TABLE rail_events_aside ADD COLUMN connection text NOT NULL DEFAULT 'sandbox';
ALTER TABLE rail_events_aside DROP CONSTRAINT rail_events_aside_once,
  ADD CONSTRAINT rail_events_aside_once UNIQUE NULLS NOT DISTINCT (company_id, connection, event_id, why);
