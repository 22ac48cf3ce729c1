-- Who lowered a limit, and in which order: only the admin who lowered it last restores it at once. An admin who sees
-- a theft stops it with a lower limit, which another admin, whose access may be the stolen one, could restore alone.
-- The admin of earlier lowerings is unknown, and restoring those waits as a raise does.
ALTER TABLE limit_lowerings ADD COLUMN lowered_by uuid, ADD COLUMN position bigint NOT NULL DEFAULT 0;
