-- The outcome of a payment that the operator learned from the network is applied like the network's events, under a
-- feed of its own. A dead letter stores the feed of its event, and the end of a running retry, before which it cannot
-- be closed.
ALTER TABLE rail_events DROP CONSTRAINT rail_events_feed_check,
  ADD CONSTRAINT rail_events_feed_check CHECK (feed IN ('answer', 'webhook', 'poll', 'file', 'operator'));
ALTER TABLE rail_dead_letters ADD COLUMN feed text NOT NULL DEFAULT 'webhook'
    CHECK (feed IN ('answer', 'webhook', 'poll', 'file', 'operator')),
  ADD COLUMN trying_until timestamptz;
