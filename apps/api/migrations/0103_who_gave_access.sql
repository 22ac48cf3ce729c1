-- Every person who invited another or changed their access, with the last time: for a time each of them counts as one
-- approver with that person. The single column before kept only the last, so another admin's change displaced the
-- first.
CREATE TABLE access_given (
  company_id uuid NOT NULL REFERENCES companies,
  user_id uuid NOT NULL,
  given_by uuid NOT NULL,
  given_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, user_id, given_by)
);
SELECT protect_company_table('access_given', 'SELECT, INSERT, UPDATE');

-- A trigger, so that a change of access written by either version is added and displaces none.
CREATE FUNCTION keep_access_given() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO access_given AS kept (company_id, user_id, given_by, given_at)
  VALUES (NEW.company_id, NEW.id, NEW.let_in_by, NEW.let_in_at)
  ON CONFLICT (company_id, user_id, given_by) DO UPDATE SET given_at = greatest(kept.given_at, excluded.given_at);
  RETURN NULL;
END $$;
CREATE TRIGGER users_keep_access_given AFTER INSERT OR UPDATE OF let_in_by, let_in_at ON users FOR EACH ROW
  WHEN (NEW.let_in_by IS NOT NULL AND NEW.let_in_at IS NOT NULL) EXECUTE FUNCTION keep_access_given();

SET LOCAL ROLE malote_system;
INSERT INTO access_given (company_id, user_id, given_by, given_at)
SELECT company_id, id, let_in_by, let_in_at FROM users WHERE let_in_by IS NOT NULL AND let_in_at IS NOT NULL;
RESET ROLE;
