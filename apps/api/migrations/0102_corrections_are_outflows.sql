-- A failed payment that is sent again counts among what its corrector sent out, by payment. Those of a batch that go
-- to another receiver than was approved are added up, whatever their day: fifteen corrections need as many approvers
-- as one of their sum.
ALTER TABLE outflows ADD COLUMN batch_id uuid, ADD COLUMN redirects boolean NOT NULL DEFAULT false;
CREATE INDEX outflows_redirected ON outflows (company_id, batch_id) WHERE redirects;
