-- Files of networks that the operator imports: a worker reads them into the inbox. A file is identified by its content,
-- so that a repeated import is read once; the content is deleted after it is read.
CREATE TABLE network_files (
  id uuid PRIMARY KEY,
  connection text NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  content bytea,
  received_at timestamptz NOT NULL,
  -- End of the claim of the worker that reads it.
  try_at timestamptz NOT NULL,
  read_at timestamptz,
  reports int,
  unreadable int,
  CONSTRAINT network_files_once UNIQUE (connection, digest),
  CONSTRAINT network_files_read CHECK (num_nulls(read_at, reports, unreadable) = CASE WHEN content IS NULL THEN 0 ELSE 3 END)
);
CREATE INDEX network_files_to_read ON network_files (try_at) WHERE content IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON network_files TO malote_system;
