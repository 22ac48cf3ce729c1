-- Where a report came from, as two bytes of a hash that thousands of networks share: how much of the queue each
-- source takes up.
ALTER TABLE error_reports ADD COLUMN source int NOT NULL DEFAULT 0 CHECK (source BETWEEN 0 AND 65535);
ALTER TABLE error_reports ALTER COLUMN source DROP DEFAULT;
