-- When the clock last took up a letter that its job could not send, and when what lets its reader in ends: after that it is not
-- sent any more. Until now all were taken to be good for as long as a link to choose a password is.
ALTER TABLE mails ADD COLUMN taken_up_at timestamptz, ADD COLUMN good_until timestamptz;
-- As a role that sees all companies: the table's owner may be subject to row security.
SET LOCAL ROLE malote_system;
UPDATE mails SET good_until = created_at + interval '72 hours' WHERE words_end_when_sent AND sent_at IS NULL;
RESET ROLE;
CREATE INDEX mails_unsent ON mails (created_at) WHERE sent_at IS NULL;
