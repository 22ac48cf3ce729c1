-- Wrong codes of a signed-in person are bounded by day as well as by quarter of an hour, so their tries are kept a day.
ALTER TABLE sign_in_failures ADD COLUMN window_minutes smallint NOT NULL DEFAULT 15
  CONSTRAINT sign_in_failures_window CHECK (window_minutes IN (15, 1440));
DROP INDEX sign_in_failures_by_age;
CREATE INDEX sign_in_failures_by_age ON sign_in_failures (window_minutes, failed_at);
