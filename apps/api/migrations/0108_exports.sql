-- Requested files were kept in four tables, each with its own states, days and housekeeping. This table replaces
-- them: a file is either made by a job, announced by e-mail and kept for some days, or streamed, of which only the
-- request is kept, because its rows are written while it is fetched.
CREATE TABLE exports (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- Each feature names its own; the code knows them.
  kind text NOT NULL CHECK (kind ~ '^[a-z_0-9]{1,40}$'),
  -- Filters, a period: the parameters by which its feature reads it.
  request jsonb NOT NULL,
  -- The rows it is of, where they were named one by one; removed once it is made.
  ids uuid[],
  is_streamed boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('making', 'ready', 'failed', 'expired')),
  rows_count int CHECK (rows_count >= 0),
  file_key text UNIQUE,
  file_bytes bigint CHECK (file_bytes > 0),
  -- A credential may request a streamed one. NULL for rows older than 0106.
  requested_by uuid,
  -- A file that is not streamed was requested by a person, who is notified.
  notified_user uuid GENERATED ALWAYS AS (CASE WHEN NOT is_streamed THEN requested_by END) STORED,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, notified_user) REFERENCES users,
  CONSTRAINT exports_files_have_a_requester CHECK (is_streamed OR requested_by IS NOT NULL),
  CONSTRAINT exports_ready_have_a_file CHECK ((file_key IS NOT NULL) = (state = 'ready' AND NOT is_streamed)),
  CONSTRAINT exports_streamed_are_ready CHECK (state = 'ready' OR NOT is_streamed)
);
CREATE INDEX exports_alive ON exports (company_id, state) WHERE state IN ('making', 'ready') AND NOT is_streamed;
CREATE INDEX exports_streamed_by_person ON exports (company_id, requested_by, kind) WHERE is_streamed;
CREATE INDEX exports_streamed_by_end ON exports (expires_at) WHERE is_streamed;
SELECT protect_company_table('exports', 'SELECT, INSERT, UPDATE');
GRANT DELETE ON exports TO malote_system;

-- Every one, the failed and expired ones too: e-mails link to them.
SET LOCAL ROLE malote_system;
INSERT INTO exports (company_id, id, kind, request, is_streamed, state, rows_count, file_key, file_bytes, requested_by, created_at, expires_at)
SELECT company_id, id, kind,
  jsonb_build_object('initialDate', to_char(initial_date, 'YYYY-MM-DD'), 'endDate', to_char(end_date, 'YYYY-MM-DD'),
    'filter', filter),
  false, state, rows_count, file_key, file_bytes, requested_by, created_at, expires_at
FROM report_requests;

INSERT INTO exports
  (company_id, id, kind, request, ids, is_streamed, state, rows_count, file_key, file_bytes, requested_by, created_at, expires_at)
SELECT company_id, id, 'receipts', jsonb_build_object('batchId', batch_id), transfer_ids, false, state, receipts_count,
  file_key, file_bytes, requested_by, created_at, expires_at
FROM receipt_requests;

INSERT INTO exports (company_id, id, kind, request, is_streamed, state, file_key, requested_by, created_at, expires_at)
SELECT company_id, id, 'infractions', filters, false,
  CASE state WHEN 'processing' THEN 'making' WHEN 'succeeded' THEN 'ready' ELSE state END,
  file_key, requested_by, created_at, expires_at
FROM infraction_exports;

INSERT INTO exports (company_id, id, kind, request, is_streamed, state, requested_by, created_at, expires_at)
SELECT company_id, id, kind, filters, true, 'ready', asked_by, created_at, created_at + interval '24 hours'
FROM receivable_reports;
RESET ROLE;

DROP TABLE report_requests, receipt_requests, infraction_exports, receivable_reports;
