-- What the operator of the installation decides: notices to all companies, a price for one company, and an audit
-- trail of both.
ALTER TABLE companies ADD COLUMN payment_price bigint CONSTRAINT companies_payment_price CHECK (payment_price >= 0);

CREATE TABLE installation_notices (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('incident', 'maintenance')),
  name text NOT NULL,
  link text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- Of an incident, when it was resolved.
  ends_at timestamptz,
  CONSTRAINT installation_notices_hours CHECK (kind = 'incident' OR ends_at > starts_at)
);
GRANT SELECT ON installation_notices TO malote_app, malote_system;
GRANT INSERT, UPDATE ON installation_notices TO malote_system;

CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- SHL-049: the sandbox shows no notices, unless its operator wants to see them.
  shows_notices_in_sandbox boolean NOT NULL DEFAULT false
);
INSERT INTO installation DEFAULT VALUES;
GRANT SELECT ON installation TO malote_app, malote_system;
GRANT UPDATE ON installation TO malote_system;

-- Operator actions that concern no company in particular. A company's own trail has the others.
CREATE TABLE operator_entries (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  at timestamptz NOT NULL,
  action text NOT NULL,
  detail jsonb NOT NULL
);
GRANT SELECT, INSERT ON operator_entries TO malote_system;
