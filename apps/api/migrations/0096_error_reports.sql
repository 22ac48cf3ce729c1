-- Errors that browsers report, kept until the worker has sent them to the installation's error service (SES-063). No
-- company and no person: which call, which status, which code.
CREATE TABLE error_reports (
  id uuid PRIMARY KEY,
  call text NOT NULL,
  status int NOT NULL CHECK (status BETWEEN 400 AND 599),
  code text,
  request_id uuid,
  seen_at timestamptz NOT NULL,
  tries int NOT NULL DEFAULT 0,
  try_at timestamptz NOT NULL
);
CREATE INDEX error_reports_due ON error_reports (try_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON error_reports TO malote_system;
