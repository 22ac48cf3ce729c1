-- A micro deposit is a batch of one payment of a centavo, as a withdrawal is (0025), so every protection of a sent
-- payment applies to it too. Lists and screens of batches show only batches that people created.
ALTER TABLE batches DROP CONSTRAINT batches_type_check,
  ADD CONSTRAINT batches_type_check CHECK (type IN ('TRANSFER', 'BILLET', 'WITHDRAWAL', 'MICRO_DEPOSIT'));

-- The list of batches is answered from this index alone.
DROP INDEX batches_by_creation;
CREATE INDEX batches_by_creation ON batches (company_id, created_at DESC, id DESC) INCLUDE (value, search_text)
  WHERE status <> 'REMOVED' AND type IN ('TRANSFER', 'BILLET');
