-- Most e-mails follow from an event (decision 0046). One event sends one person one e-mail of a kind, however often
-- it is handled. `kind`: the entry of the catalogue of texts.
ALTER TABLE mails ADD COLUMN kind text, ADD COLUMN event_id uuid;
CREATE UNIQUE INDEX mails_of_event ON mails (company_id, event_id, kind, to_address) WHERE event_id IS NOT NULL;
