-- The maker of a batch or a payment chooses its id. An outflow is identified by its kind and id, so that a batch with
-- the id of a withdrawal does not replace it in the sums of the day.
ALTER TABLE outflows DROP CONSTRAINT outflows_pkey, ADD PRIMARY KEY (company_id, id, way);
