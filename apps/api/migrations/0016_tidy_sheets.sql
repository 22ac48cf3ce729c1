-- Uploads of the last hour are counted before the next one, and unused files are removed. Both find sheets by their
-- time, and a removed file is marked on its sheet.
ALTER TABLE sheets ADD COLUMN file_removed_at timestamptz;
CREATE INDEX sheets_by_time ON sheets (company_id, created_at);
