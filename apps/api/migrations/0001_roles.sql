-- Three roles that cannot log in and cannot bypass row security. Every transaction takes on one of them (SET LOCAL
-- ROLE), so that neither a forgotten WHERE nor a migration user with more rights shows one company's rows to another.
-- malote_app one company's data, chosen by app.company_id
-- malote_system the few questions that span companies: sign-in, finding due work, the books check
-- malote_ledger owns the posting function; the only role that writes the ledger
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['malote_app', 'malote_system', 'malote_ledger'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', role_name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
    EXECUTE format('GRANT %I TO %I', role_name, current_user);
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA public TO malote_app, malote_system, malote_ledger;

-- The company of this transaction. Raises an error when none is set: a query outside withCompany must not run at all.
CREATE FUNCTION current_company() RETURNS uuid LANGUAGE sql STABLE AS
$$ SELECT current_setting('app.company_id')::uuid $$;

-- Called once for each company-owned table. Row security applies to every role, the owner included.
CREATE FUNCTION protect_company_table(target regclass, app_rights text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY one_company ON %s TO malote_app USING (company_id = (SELECT current_company()))', target);
  EXECUTE format('CREATE POLICY every_company ON %s TO malote_system, malote_ledger USING (true)', target);
  EXECUTE format('GRANT %s ON %s TO malote_app', app_rights, target);
  EXECUTE format('GRANT %s ON %s TO malote_system', app_rights, target);
END $$;
