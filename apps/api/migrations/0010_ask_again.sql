-- When the network is asked next about a payment that it took and never reported on, and how often it was asked
-- before.
ALTER TABLE transfers ADD COLUMN ask_at timestamptz, ADD COLUMN asks smallint NOT NULL DEFAULT 0;
UPDATE transfers SET ask_at = sent_at + interval '10 minutes'
WHERE sent_at IS NOT NULL AND status IN ('EXECUTING', 'EM_REMESSA', 'FAILED_INTERNAL', 'TRANSFERRED');
CREATE INDEX transfers_to_ask_about ON transfers (company_id, ask_at)
  WHERE ask_at IS NOT NULL AND status IN ('EXECUTING', 'EM_REMESSA', 'FAILED_INTERNAL', 'TRANSFERRED');
