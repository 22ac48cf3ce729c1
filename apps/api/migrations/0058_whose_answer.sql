-- Who first used a key: the stored answer is given to no other member of the company. Answers stored before this have
-- no such person, and expire after seven days like all.
ALTER TABLE idempotency_keys ADD COLUMN asked_by uuid;

DROP FUNCTION first_answer(uuid, text, text);
CREATE FUNCTION first_answer(p_company uuid, p_route text, p_key text,
                             OUT locked boolean, OUT request_hash text, OUT body text, OUT asked_by uuid)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  -- Held until the transaction ends: a caller that finds it taken knows that the first request is still running.
  locked := pg_try_advisory_xact_lock(hashtextextended(p_company || ' ' || p_route || ' ' || p_key, 0));
  IF locked THEN
    SELECT k.request_hash, k.body, k.asked_by INTO request_hash, body, asked_by FROM idempotency_keys k
    WHERE k.company_id = p_company AND k.route = p_route AND k.key = p_key;
  END IF;
END $$;
REVOKE ALL ON FUNCTION first_answer(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION first_answer(uuid, text, text) TO malote_app;
