-- Everybody who let a person in or changed what they may do, and when last: for a time each of them counts with that person. One
-- column said the last of them alone, so that any other admin's change took the first one's place.
CREATE TABLE access_given (
  company_id uuid NOT NULL REFERENCES companies,
  user_id uuid NOT NULL,
  given_by uuid NOT NULL,
  given_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, user_id, given_by)
);
SELECT protect_company_table('access_given', 'SELECT, INSERT, UPDATE');

-- Whatever writes who gave access last, of whichever version, is kept beside those before it.
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
