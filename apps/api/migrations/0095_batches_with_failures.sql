-- Batches with failures to resolve are asked for by every page that is open; nearly all batches have none.
CREATE INDEX batches_with_failures ON batches (company_id, created_at DESC, id DESC) WHERE failed_count > 0;
