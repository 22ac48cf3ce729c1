-- A withdrawal is a batch of one payment to the company's own account, so every protection of a sent payment applies
-- to it too. Lists and screens of batches leave it out.
ALTER TABLE batches DROP CONSTRAINT batches_type_check,
  ADD CONSTRAINT batches_type_check CHECK (type IN ('TRANSFER', 'BILLET', 'WITHDRAWAL'));

-- The list of batches is answered from this index alone.
DROP INDEX batches_by_creation;
CREATE INDEX batches_by_creation ON batches (company_id, created_at DESC, id DESC) INCLUDE (value, search_text)
  WHERE status <> 'REMOVED' AND type <> 'WITHDRAWAL';
