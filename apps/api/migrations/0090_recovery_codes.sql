-- Recovery for a person who lost their phone, and what a stolen token may not do (decision 0040).

-- When the person of the session last proved who they are, by signing in or by giving the password again.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz;

-- Each works once in place of an authenticator's code. Only hashes are kept: the codes are 80 random bits.
CREATE TABLE recovery_codes (
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  code_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (company_id, user_id, code_hash),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id)
);
SELECT protect_company_table('recovery_codes', 'SELECT, INSERT, DELETE');
GRANT UPDATE (used_at) ON recovery_codes TO malote_app;
