-- Who lowered a limit, and in which order: only whoever lowered it last undoes it at once. Whoever sees a theft stops it with a
-- lower limit, which another admin, whose access may be the stolen one, took back alone. Of lowerings before this nobody is known,
-- and undoing them waits as a raise does.
ALTER TABLE limit_lowerings ADD COLUMN lowered_by uuid, ADD COLUMN position bigint NOT NULL DEFAULT 0;
