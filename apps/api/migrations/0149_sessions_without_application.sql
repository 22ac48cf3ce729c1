-- The token names the application; the column was written at each renewal and never read.
ALTER TABLE sessions DROP COLUMN application;
