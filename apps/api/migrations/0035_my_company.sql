-- What an admin maintains of the company and its people: phone, logo, and how a new person gets a password.

ALTER TABLE companies
  -- National digits: area code and number.
  ADD COLUMN phone text CHECK (phone ~ '^\d{10,11}$'),
  ADD COLUMN logo_key text,
  -- Detected from its bytes, never from the name its sender gives it.
  ADD COLUMN logo_type text CHECK (logo_type IN ('image/png', 'image/jpeg')),
  ADD CONSTRAINT companies_logo_whole CHECK ((logo_key IS NULL) = (logo_type IS NULL));

-- A person who was just invited has no password until they choose one.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;
CREATE INDEX users_by_name ON users (company_id, name) WHERE removed_at IS NULL;

-- A link to choose a password: one per person at a time, removed once used. Only the hash of the token in the e-mail
-- is stored.
CREATE TABLE password_links (
  company_id uuid NOT NULL REFERENCES companies,
  user_id uuid NOT NULL,
  secret_hash text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  PRIMARY KEY (company_id, user_id),
  FOREIGN KEY (company_id, user_id) REFERENCES users
);
SELECT protect_company_table('password_links', 'SELECT, INSERT, UPDATE, DELETE');

-- The content of an e-mail that grants access is deleted when the e-mail is sent; the e-mail's row stays.
ALTER TABLE mails ADD COLUMN words_end_when_sent boolean NOT NULL DEFAULT false;

-- Releases the e-mail address of a removed person. A company's transactions may not read or change these names
-- themselves.
CREATE FUNCTION forget_sign_in_name(p_user uuid) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS
$$ DELETE FROM sign_in_names WHERE company_id = current_company() AND subject_id = p_user AND kind = 'user' $$;
DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION forget_sign_in_name(uuid) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION forget_sign_in_name(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_sign_in_name(uuid) TO malote_app;
