-- The home page and the badge ask of every draft whether a payment is too late. Beside the dates (transfers_dated), only
-- the end of a Pix code or of a boleto makes one late; most drafts have neither.
CREATE INDEX transfers_by_code_end ON transfers (company_id, batch_id) WHERE status = 'CREATED' AND emv_until IS NOT NULL;
CREATE INDEX transfers_by_last_day ON transfers (company_id, batch_id) WHERE status = 'CREATED' AND payable_until IS NOT NULL;
