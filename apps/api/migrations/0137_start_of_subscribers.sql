-- The history of an object reports what it lacks: events from before it existed, events not handled yet, and events
-- that cannot be handled (decision 0054). By the clock of events; null for subscribers older than this column, except
-- the history, whose start its table shows.
ALTER TABLE event_subscribers ADD COLUMN since_at timestamptz;
UPDATE event_subscribers SET since_at = (SELECT applied_at FROM migrations WHERE name = '0133_object_history.sql')
WHERE name = 'object-history';
GRANT SELECT ON event_subscribers TO malote_app;

-- Only the relay reads the outbox; this function returns whether it holds events of these objects of the current
-- company.
CREATE FUNCTION waits_in_outbox(p_types text[], p_objects uuid[]) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT EXISTS (
    SELECT FROM outbox WHERE company_id = current_company() AND type = ANY(p_types) AND object_id = ANY(p_objects));
$$;
DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION waits_in_outbox(text[], uuid[]) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION waits_in_outbox(text[], uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waits_in_outbox(text[], uuid[]) TO malote_app;
