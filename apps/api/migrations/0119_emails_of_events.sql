-- Most e-mails follow from an event (decision 0046). One event is written once to one person in one set of words, whoever handles
-- it again. `kind`: which words of the catalogue.
ALTER TABLE mails ADD COLUMN kind text, ADD COLUMN event_id uuid;
CREATE UNIQUE INDEX mails_of_event ON mails (company_id, event_id, kind, to_address) WHERE event_id IS NOT NULL;
