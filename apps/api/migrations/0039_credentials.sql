-- People make credentials now, for the application they are in: a credential says which, who made it and when it was last used.
ALTER TABLE api_credentials
  ADD COLUMN application text NOT NULL DEFAULT 'payments' CHECK (application IN ('payments', 'validation')),
  -- Null: it came with the installation.
  ADD COLUMN created_by uuid,
  ADD COLUMN created_by_name text,
  ADD COLUMN last_used_at timestamptz;
CREATE INDEX api_credentials_alive ON api_credentials (company_id, application, created_at) WHERE revoked_at IS NULL;

-- A company's own system, for as long as its credential is not revoked, with the application its tokens are of.
-- Exists beside bearer_of_credential (0006), which processes of the previous release still call while they are
-- replaced.
CREATE FUNCTION bearer_of_machine(p_company uuid, p_credential uuid)
RETURNS TABLE (
  id uuid, name text, profile text, application text,
  company_id uuid, company_name text, tax_id text, accepted_contract boolean, permissions text[], feature_flags text[]
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 1 AS $$
BEGIN
  RETURN QUERY
  SELECT a.id, a.name, a.profile, a.application,
         c.company_id, c.name, c.tax_id, c.accepted_contract, c.permissions, c.feature_flags
  FROM api_credentials a JOIN companies c ON c.company_id = a.company_id
  WHERE a.company_id = p_company AND a.id = p_credential AND a.revoked_at IS NULL AND may_ask_for(p_company);
END $$;
DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION bearer_of_machine(uuid, uuid) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION bearer_of_machine(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bearer_of_machine(uuid, uuid) TO malote_app;
