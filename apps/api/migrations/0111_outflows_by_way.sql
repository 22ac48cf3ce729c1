-- Whoever makes a batch or a payment chooses its id. What left is one row of its way and id, so that a batch with the id of a
-- withdrawal does not take its place in the sums of the day.
ALTER TABLE outflows DROP CONSTRAINT outflows_pkey, ADD PRIMARY KEY (company_id, id, way);
