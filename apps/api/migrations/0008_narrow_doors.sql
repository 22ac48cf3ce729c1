-- Functions that run with other rights look names up in our schema first: PostgreSQL otherwise searches the caller's
-- temporary tables before it, and a caller may make some.
ALTER FUNCTION open_ledger(uuid) SET search_path = public, pg_temp;
ALTER FUNCTION post_movements(uuid, timestamptz, movement[]) SET search_path = public, pg_temp;
ALTER FUNCTION bearer_of_session(uuid, uuid, uuid, timestamptz) SET search_path = public, pg_temp;
ALTER FUNCTION bearer_of_credential(uuid, uuid) SET search_path = public, pg_temp;

-- Which e-mail belongs to which company is for signing in only, which asks as malote_system.
REVOKE SELECT, UPDATE, DELETE ON sign_in_names FROM malote_app;
