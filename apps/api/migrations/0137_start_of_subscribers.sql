-- The history of an object says what is missing in it: what happened before there was one, what has not been handled
-- yet, and what cannot be (decision 0054).
-- By the clock of events; null of subscribers that are older than this column, but of the history, whose table came with it.
ALTER TABLE event_subscribers ADD COLUMN since_at timestamptz;
UPDATE event_subscribers SET since_at = (SELECT applied_at FROM migrations WHERE name = '0133_object_history.sql')
WHERE name = 'object-history';
GRANT SELECT ON event_subscribers TO malote_app;

-- The outbox itself is read by the relay alone: this says of the present company whether something of these objects is in it.
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
