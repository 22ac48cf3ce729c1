-- A failed payment that is sent again counts among what its corrector sent out, by the payment. Of a batch, those that go to
-- somebody else than was approved count together, on whatever day: fifteen corrections ask for as many people as one of their sum.
ALTER TABLE outflows ADD COLUMN batch_id uuid, ADD COLUMN redirects boolean NOT NULL DEFAULT false;
CREATE INDEX outflows_redirected ON outflows (company_id, batch_id) WHERE redirects;
