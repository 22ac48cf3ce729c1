-- A sheet brings a hundred thousand payments of one batch, and a foreign key looks that batch up a hundred thousand
-- times, which was a third of the cost of writing them. The same promise is kept once per statement: no payment
-- without its batch, no deletion of a batch that has payments (no role may delete one), no payment that moves to
-- another batch.
ALTER TABLE transfers DROP CONSTRAINT transfers_company_id_batch_id_fkey;

CREATE FUNCTION transfers_have_their_batch() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT company_id, batch_id FROM added) a
    WHERE NOT EXISTS (SELECT FROM batches b WHERE b.company_id = a.company_id AND b.id = a.batch_id)
  ) THEN
    RAISE foreign_key_violation USING MESSAGE = 'a payment without its batch', CONSTRAINT = 'transfers_have_their_batch';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transfers_have_their_batch AFTER INSERT ON transfers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION transfers_have_their_batch();

CREATE FUNCTION transfers_stay_in_their_batch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation
    USING MESSAGE = 'a payment stays in its batch', CONSTRAINT = 'transfers_stay_in_their_batch';
END $$;
CREATE TRIGGER transfers_stay_in_their_batch BEFORE UPDATE ON transfers FOR EACH ROW
  WHEN (NEW.company_id <> OLD.company_id OR NEW.batch_id <> OLD.batch_id) EXECUTE FUNCTION transfers_stay_in_their_batch();

REVOKE DELETE ON batches FROM malote_app, malote_system;
