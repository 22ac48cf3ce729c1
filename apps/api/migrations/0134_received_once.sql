-- A Pix is received once in the installation, even when its key has another holder when it is reported again. One
-- company may pay another: what is sent has the same end-to-end id and is not in here.
CREATE TABLE received_pix (
  end_to_end_id text CONSTRAINT received_pix_once PRIMARY KEY,
  company_id uuid NOT NULL REFERENCES companies
);
SELECT protect_company_table('received_pix', 'SELECT, INSERT');

-- Runs with the rights of the statement that writes the payin: of another company's row it learns only that it
-- exists.
CREATE FUNCTION receive_pix_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  received text := substr(NEW.posting_cause, 5);
BEGIN
  INSERT INTO received_pix (end_to_end_id, company_id) VALUES (received, NEW.company_id) ON CONFLICT DO NOTHING;
  IF NOT FOUND AND NOT EXISTS (
    SELECT FROM received_pix WHERE end_to_end_id = received AND company_id = NEW.company_id) THEN
    RAISE unique_violation USING MESSAGE = 'another company received the Pix ' || received, CONSTRAINT = 'received_pix_once';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payins_receive_pix_once AFTER INSERT OR UPDATE OF posting_cause ON payins
  FOR EACH ROW WHEN (NEW.posting_cause LIKE 'pix:%') EXECUTE FUNCTION receive_pix_once();

-- Where a Pix was posted twice before, the first payin keeps it and the books check reports the other.
SET LOCAL ROLE malote_system;
INSERT INTO received_pix (end_to_end_id, company_id)
SELECT substr(posting_cause, 5), company_id FROM payins WHERE posting_cause LIKE 'pix:%'
ORDER BY updated_at, received_at, company_id
ON CONFLICT DO NOTHING;
RESET ROLE;

-- A Pix names no company: whether its event came before is looked up across all of them.
CREATE INDEX rail_events_of_deposits ON rail_events (connection, event_id) WHERE kind = 'pix_received';

-- A report under a known id with other content is a dead letter of its own. Immutable for us: every database is in
-- UTF-8.
CREATE FUNCTION text_digest(value text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN sha256(convert_to(value, 'UTF8'));
ALTER TABLE rail_events_aside ADD COLUMN payload_digest bytea NOT NULL GENERATED ALWAYS AS (text_digest(payload)) STORED;
ALTER TABLE rail_events_aside DROP CONSTRAINT rail_events_aside_once,
  ADD CONSTRAINT rail_events_aside_once UNIQUE NULLS NOT DISTINCT (company_id, connection, event_id, why, payload_digest);
