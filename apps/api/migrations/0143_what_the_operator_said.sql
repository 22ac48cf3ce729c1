-- The history of a payment names the installation's operator where the operator, not the network, reported its outcome.
ALTER TABLE object_history DROP CONSTRAINT object_history_actor_kind_check,
  ADD CONSTRAINT object_history_actor_kind_check CHECK (actor_kind IN ('user', 'machine', 'system', 'network', 'operator'));
