-- Uploads of the last hour are counted before the next one, and files that nobody needs any more are removed: both ask
-- for sheets by their time, and a file that went is told by its sheet.
ALTER TABLE sheets ADD COLUMN file_removed_at timestamptz;
CREATE INDEX sheets_by_time ON sheets (company_id, created_at);
