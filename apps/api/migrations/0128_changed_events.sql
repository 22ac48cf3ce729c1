-- changed: the network reported another event under a known id. The first one stays.
ALTER TABLE rail_events_aside DROP CONSTRAINT rail_events_aside_why_check,
  ADD CONSTRAINT rail_events_aside_why_check CHECK (why IN ('unreadable', 'contradiction', 'failed', 'changed'));
