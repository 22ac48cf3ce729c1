-- A process caches the facts of a token's bearer until their epoch changes or the session expires, so it reads the
-- expiry with them.
CREATE FUNCTION end_of_session(p_company uuid, p_session uuid) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT expires_at FROM sessions WHERE company_id = p_company AND id = p_session AND may_ask_for(p_company) $$;

DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION end_of_session(uuid, uuid) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION end_of_session(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_of_session(uuid, uuid) TO malote_app;
