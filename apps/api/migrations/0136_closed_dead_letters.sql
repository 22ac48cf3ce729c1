-- A report of the network that can never be applied is closed by the operator's decision, which is kept with its
-- reason.
ALTER TABLE rail_dead_letters ADD COLUMN closed_at timestamptz, ADD COLUMN closed_reason text,
  ADD CONSTRAINT rail_dead_letters_closed_with_reason CHECK ((closed_at IS NULL) = (closed_reason IS NULL));
