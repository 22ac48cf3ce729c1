-- What an approval is bound to: a hash for which no other content can be constructed. The one before was a sum of
-- 64-bit hashes, for which other content with the same sum is found in a second.
CREATE FUNCTION batch_digest(p_company uuid, p_batch uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(coalesce(string_agg(sha256(convert_to(ROW(t.id, t.value, t.payment_method, t.payment_date, t.integration_id,
    t.name, t.tax_id, t.email, t.bank_ispb, t.agency, t.agency_digit, t.account, t.account_digit, t.account_type,
    t.pix_key_type, t.pix_key, t.pix_key_validation, t.pix_description, t.emv, t.emv_data,
    t.barcode, t.due_date, t.description)::text, 'UTF8')), ''::bytea ORDER BY t.id), ''::bytea)), 'hex')
  FROM transfers t WHERE t.company_id = p_company AND t.batch_id = p_batch
$$;

-- Waiting batches keep their approvals where their content is still what was approved.
SET LOCAL ROLE malote_system;
WITH waiting AS MATERIALIZED (
  SELECT b.company_id, b.id, b.approval_digest AS before FROM batches b
  WHERE b.approval_digest IS NOT NULL AND b.status IN ('WAITING_APPROVAL', 'WAITING', 'PENDING')
    AND b.approval_digest = (
      SELECT concat_ws('-', count(*), sum(value), to_hex(bit_xor(hash_record_extended(ROW(id, value, payment_method,
        payment_date, integration_id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit,
        account_type, pix_key_type, pix_key, pix_key_validation, pix_description),
        CASE WHEN emv IS NOT NULL THEN hashtextextended(concat_ws('|', emv, emv_data), 42)
          WHEN barcode IS NULL THEN 42
          ELSE hashtextextended(concat_ws('|', barcode, due_date, description), 42) END))))
      FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id)
), changed AS (
  UPDATE batches b SET approval_digest = batch_digest(b.company_id, b.id) FROM waiting w
  WHERE b.company_id = w.company_id AND b.id = w.id
  RETURNING b.company_id, b.id, w.before, b.approval_digest AS after
)
UPDATE approvals a SET digest = c.after FROM changed c
WHERE a.company_id = c.company_id AND a.batch_id = c.id AND a.digest = c.before;
RESET ROLE;

-- Who invited a person or gave them their present access, and when: for a time the two count as one approver.
ALTER TABLE users ADD COLUMN let_in_by uuid, ADD COLUMN let_in_at timestamptz;

-- A link requested in a person's name replaces no other: an invitation stays valid.
ALTER TABLE password_links DROP CONSTRAINT password_links_pkey, ADD PRIMARY KEY (secret_hash),
  ADD COLUMN is_self_asked boolean NOT NULL DEFAULT false;
CREATE INDEX password_links_of_user ON password_links (company_id, user_id);

-- A voided approval stays void: the person has to approve again.
CREATE FUNCTION keep_approvals_voided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.voided_at IS NOT NULL THEN RAISE EXCEPTION 'a voided approval stays voided'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approvals_stay_voided BEFORE UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION keep_approvals_voided();
