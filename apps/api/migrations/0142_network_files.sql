-- Files that networks hand over, as the operator passes them on: read by a worker into the inbox of all reports. A file
-- is known by its content, so that one passed on twice is read once; its content is kept until then and no longer.
CREATE TABLE network_files (
  id uuid PRIMARY KEY,
  connection text NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  content bytea,
  received_at timestamptz NOT NULL,
  -- A worker that reads it has it until then.
  try_at timestamptz NOT NULL,
  read_at timestamptz,
  reports int,
  unreadable int,
  CONSTRAINT network_files_once UNIQUE (connection, digest),
  CONSTRAINT network_files_read CHECK (num_nulls(read_at, reports, unreadable) = CASE WHEN content IS NULL THEN 0 ELSE 3 END)
);
CREATE INDEX network_files_to_read ON network_files (try_at) WHERE content IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON network_files TO malote_system;
