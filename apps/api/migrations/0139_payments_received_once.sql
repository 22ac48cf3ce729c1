-- A TED and a boleto are received once in the installation as well, whichever company the network names when it reports
-- them again. Each is identified by the cause of its posting: its channel, and its network's number.
ALTER TABLE received_pix RENAME TO received_payments;
ALTER TABLE received_payments RENAME COLUMN end_to_end_id TO cause;
ALTER TABLE received_payments RENAME CONSTRAINT received_pix_once TO received_payments_once;

DROP TRIGGER payins_receive_pix_once ON payins;
DROP FUNCTION receive_pix_once();
-- Runs with the rights of the statement that writes the payin: of another company's row it learns only that it exists.
CREATE FUNCTION receive_payment_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO received_payments (cause, company_id) VALUES (NEW.posting_cause, NEW.company_id) ON CONFLICT DO NOTHING;
  IF NOT FOUND AND NOT EXISTS (
    SELECT FROM received_payments WHERE cause = NEW.posting_cause AND company_id = NEW.company_id) THEN
    RAISE unique_violation USING MESSAGE = 'another company received ' || NEW.posting_cause, CONSTRAINT = 'received_payments_once';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payins_receive_payment_once AFTER INSERT OR UPDATE OF posting_cause ON payins
  FOR EACH ROW WHEN (NEW.posting_cause ~ '^(pix|ted|boleto):') EXECUTE FUNCTION receive_payment_once();

-- Where one was posted twice before, the first payin keeps it and the books check reports the other.
GRANT UPDATE ON received_payments TO malote_system;
SET LOCAL ROLE malote_system;
UPDATE received_payments SET cause = 'pix:' || cause;
INSERT INTO received_payments (cause, company_id)
SELECT posting_cause, company_id FROM payins WHERE posting_cause ~ '^(ted|boleto):'
ORDER BY updated_at, received_at, company_id
ON CONFLICT DO NOTHING;
RESET ROLE;
REVOKE UPDATE ON received_payments FROM malote_system;
