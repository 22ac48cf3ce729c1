-- Payments whose payee was blocked after they were closed are refused by the product and not by the network.
ALTER TABLE rail_events DROP CONSTRAINT rail_events_feed_check,
  ADD CONSTRAINT rail_events_feed_check CHECK (feed IN ('answer', 'webhook', 'poll', 'file', 'operator', 'own'));
ALTER TABLE rail_dead_letters DROP CONSTRAINT rail_dead_letters_feed_check,
  ADD CONSTRAINT rail_dead_letters_feed_check CHECK (feed IN ('answer', 'webhook', 'poll', 'file', 'operator', 'own'));

-- Each draft and each outgoing payment looks up the keys that a blocked document holds, by the directory's last answer.
CREATE INDEX key_lookups_by_holder ON key_lookups (holder_tax_id, company_id, pix_key) WHERE holder_tax_id IS NOT NULL;
