-- Functions that run with other rights resolve names in our schema first: PostgreSQL otherwise searches the caller's
-- temporary tables before it, and a caller may create some.
ALTER FUNCTION open_ledger(uuid) SET search_path = public, pg_temp;
ALTER FUNCTION post_movements(uuid, timestamptz, movement[]) SET search_path = public, pg_temp;
ALTER FUNCTION bearer_of_session(uuid, uuid, uuid, timestamptz) SET search_path = public, pg_temp;
ALTER FUNCTION bearer_of_credential(uuid, uuid) SET search_path = public, pg_temp;

-- Which e-mail belongs to which company is needed for sign-in only, which runs as malote_system.
REVOKE SELECT, UPDATE, DELETE ON sign_in_names FROM malote_app;
