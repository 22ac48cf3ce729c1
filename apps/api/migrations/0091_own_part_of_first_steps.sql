-- A person who is no admin ends only their own part of the first steps, not the company's (FST-005, FST-007).
ALTER TABLE checkpoints ADD COLUMN for_company boolean NOT NULL DEFAULT true;
GRANT UPDATE (for_company) ON checkpoints TO malote_app;
