-- What the operator learned from the network about a payment is applied as an event of the network is, by a feed of its
-- own name. A dead letter keeps by which feed its event came, and until when a worker is trying it again: meanwhile it
-- cannot be closed.
ALTER TABLE rail_events DROP CONSTRAINT rail_events_feed_check,
  ADD CONSTRAINT rail_events_feed_check CHECK (feed IN ('answer', 'webhook', 'poll', 'file', 'operator'));
ALTER TABLE rail_dead_letters ADD COLUMN feed text NOT NULL DEFAULT 'webhook'
    CHECK (feed IN ('answer', 'webhook', 'poll', 'file', 'operator')),
  ADD COLUMN trying_until timestamptz;
