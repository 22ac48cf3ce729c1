-- A process caches the facts about a token's bearer and checks them on the round trip of the read by this one value,
-- which changes when a session ends, or when a person, a credential or the company's permissions change. Random, so
-- that a company created again under the same id never repeats an earlier value.
CREATE TABLE bearer_epochs (
  company_id uuid PRIMARY KEY REFERENCES companies,
  epoch uuid NOT NULL
);
SELECT protect_company_table('bearer_epochs', 'SELECT');
GRANT INSERT, UPDATE ON bearer_epochs TO malote_system;

SET LOCAL ROLE malote_system;
INSERT INTO bearer_epochs SELECT company_id, gen_random_uuid() FROM companies;
RESET ROLE;

CREATE FUNCTION change_bearer_epoch() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO bearer_epochs VALUES (coalesce(NEW.company_id, OLD.company_id), gen_random_uuid())
  ON CONFLICT (company_id) DO UPDATE SET epoch = excluded.epoch;
  RETURN NULL;
END $$;

-- Read with the facts of a bearer, in one snapshot, by the roles that may read those.
CREATE FUNCTION bearer_epoch(p_company uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS
$$ SELECT epoch FROM bearer_epochs WHERE company_id = p_company AND may_ask_for(p_company) $$;

DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION change_bearer_epoch() OWNER TO malote_system;
  ALTER FUNCTION bearer_epoch(uuid) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION change_bearer_epoch(), bearer_epoch(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bearer_epoch(uuid) TO malote_app;

-- At the end of the transaction: a company has one such row, which must not be locked while a transaction waits for
-- another.
CREATE CONSTRAINT TRIGGER bearer_epoch AFTER INSERT OR UPDATE OF name, tax_id, accepted_contract, settings, permissions, feature_flags
  ON companies DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_bearer_epoch();
CREATE CONSTRAINT TRIGGER bearer_epoch AFTER UPDATE OF name, email, profile, applications, session_version, two_factor_at, removed_at OR DELETE
  ON users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_bearer_epoch();
CREATE CONSTRAINT TRIGGER bearer_epoch AFTER UPDATE OF user_id, ended_at, expires_at, session_version
  ON sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_bearer_epoch();
CREATE CONSTRAINT TRIGGER bearer_epoch AFTER UPDATE OF name, profile, application, revoked_at OR DELETE
  ON api_credentials DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION change_bearer_epoch();
