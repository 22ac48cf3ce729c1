-- The last payment that arrived at a receiver, recorded from the next payment on.
ALTER TABLE receivers ADD COLUMN paid_at timestamptz, ADD COLUMN paid_value bigint,
  ADD CONSTRAINT receivers_paid_whole CHECK ((paid_at IS NULL) = (paid_value IS NULL));
