-- When the schedule last took up an e-mail that its job could not send, and when the access it grants ends: it is not
-- sent after that. Until now every e-mail was kept as long as a link to choose a password is valid.
ALTER TABLE mails ADD COLUMN taken_up_at timestamptz, ADD COLUMN good_until timestamptz;
-- As a role that sees all companies: the table's owner may be subject to row security.
SET LOCAL ROLE malote_system;
UPDATE mails SET good_until = created_at + interval '72 hours' WHERE words_end_when_sent AND sent_at IS NULL;
RESET ROLE;
CREATE INDEX mails_unsent ON mails (created_at) WHERE sent_at IS NULL;
