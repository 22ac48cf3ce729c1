-- Every call resolves the bearer of its token. A function does it in one round trip and one plan, where a transaction
-- of its own takes four. The functions run with the rights of malote_system; a company's transaction may only ask for
-- its own bearers.
CREATE FUNCTION may_ask_for(p_company uuid) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT coalesce(nullif(current_setting('app.company_id', true), '')::uuid = p_company, true) $$;

-- The person of an open session that has not ended and is no older than the last change of password, role or factor.
-- Without a session: the person as they are.
CREATE FUNCTION bearer_of_session(p_company uuid, p_session uuid, p_user uuid, p_now timestamptz)
RETURNS TABLE (
  id uuid, name text, email text, profile text, applications text[], session_version int,
  two_factor_enabled boolean, two_factor_enforced boolean,
  company_id uuid, company_name text, tax_id text, accepted_contract boolean, permissions text[], feature_flags text[]
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public ROWS 1 AS $$
BEGIN
  RETURN QUERY
  SELECT u.id, u.name, u.email, u.profile, u.applications, u.session_version,
         u.two_factor_at IS NOT NULL, coalesce((c.settings->>'requiresTwoFactor')::boolean, false),
         c.company_id, c.name, c.tax_id, c.accepted_contract, c.permissions, c.feature_flags
  FROM users u
  JOIN companies c ON c.company_id = u.company_id
  LEFT JOIN sessions s ON s.company_id = u.company_id AND s.id = p_session AND s.user_id = u.id
    AND s.ended_at IS NULL AND s.expires_at > p_now AND s.session_version = u.session_version
  WHERE u.company_id = p_company AND u.id = p_user AND u.removed_at IS NULL
    AND (p_session IS NULL OR s.id IS NOT NULL) AND may_ask_for(p_company);
END $$;

-- A company's own system, for as long as its credential is not revoked.
CREATE FUNCTION bearer_of_credential(p_company uuid, p_credential uuid)
RETURNS TABLE (
  id uuid, name text, profile text,
  company_id uuid, company_name text, tax_id text, accepted_contract boolean, permissions text[], feature_flags text[]
) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public ROWS 1 AS $$
BEGIN
  RETURN QUERY
  SELECT a.id, a.name, a.profile,
         c.company_id, c.name, c.tax_id, c.accepted_contract, c.permissions, c.feature_flags
  FROM api_credentials a JOIN companies c ON c.company_id = a.company_id
  WHERE a.company_id = p_company AND a.id = p_credential AND a.revoked_at IS NULL AND may_ask_for(p_company);
END $$;

DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION bearer_of_session(uuid, uuid, uuid, timestamptz) OWNER TO malote_system;
  ALTER FUNCTION bearer_of_credential(uuid, uuid) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION bearer_of_session(uuid, uuid, uuid, timestamptz), bearer_of_credential(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bearer_of_session(uuid, uuid, uuid, timestamptz), bearer_of_credential(uuid, uuid) TO malote_app;
