-- A boleto is a payment of the same table, so every protection of a sent payment applies to it too. A batch holds
-- either transfers or boletos, never both.
ALTER TABLE transfers
  -- 44 digits, or the text as typed while it is invalid.
  ADD COLUMN barcode text CHECK (char_length(barcode) <= 100),
  ADD COLUMN due_date date,
  -- The last day it is paid without charges: the due date, or the business day after it.
  ADD COLUMN payable_until date,
  ADD COLUMN description text,
  DROP CONSTRAINT transfers_payment_method_check,
  ADD CONSTRAINT transfers_payment_method_check CHECK (payment_method IN ('PIX', 'TED', 'TEV', 'BILLET')),
  ADD CONSTRAINT transfers_billets_have_their_code
    CHECK (payment_method <> 'BILLET' OR status = 'CREATED' OR barcode ~ '^[0-9]{44}$');
-- Whether a boleto was registered before is asked of each one, in every list.
CREATE INDEX transfers_by_barcode ON transfers (company_id, barcode) WHERE barcode IS NOT NULL;

-- Boletos of one batch are not one receiver's.
CREATE OR REPLACE FUNCTION receiver_id(t transfers) RETURNS uuid LANGUAGE sql STABLE AS $$
  -- A UUID of version 8 (RFC 9562): the hash, with the version and variant bits set.
  SELECT overlay(overlay(
    md5(concat_ws('|', t.company_id, t.pix_key_type, t.pix_key, t.bank_ispb, t.agency, t.account, t.account_digit,
                  t.account_type, t.tax_id, CASE WHEN t.pix_key IS NULL THEN upper(t.name) END, t.barcode))
    PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid
$$;

CREATE OR REPLACE FUNCTION transfers_have_their_batch() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT company_id, batch_id, payment_method = 'BILLET' AS is_billet FROM added) a
    WHERE NOT EXISTS (SELECT FROM batches b
      WHERE b.company_id = a.company_id AND b.id = a.batch_id AND (b.type = 'BILLET') = a.is_billet)
  ) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a payment without its batch', CONSTRAINT = 'transfers_have_their_batch';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER transfers_stay_in_their_batch ON transfers;
CREATE TRIGGER transfers_stay_in_their_batch BEFORE UPDATE ON transfers FOR EACH ROW
  WHEN (NEW.company_id <> OLD.company_id OR NEW.batch_id <> OLD.batch_id
    OR (NEW.payment_method = 'BILLET') <> (OLD.payment_method = 'BILLET'))
  EXECUTE FUNCTION transfers_stay_in_their_batch();
