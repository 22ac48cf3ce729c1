-- changed: the network reported an event again under the same id, as something else. The first stays what it was.
ALTER TABLE rail_events_aside DROP CONSTRAINT rail_events_aside_why_check,
  ADD CONSTRAINT rail_events_aside_why_check CHECK (why IN ('unreadable', 'contradiction', 'failed', 'changed'));
