-- The history of a payment names the operator of the installation where its outcome is their word and not the network's.
ALTER TABLE object_history DROP CONSTRAINT object_history_actor_kind_check,
  ADD CONSTRAINT object_history_actor_kind_check CHECK (actor_kind IN ('user', 'machine', 'system', 'network', 'operator'));
