-- Takes the lock of an idempotency key and reads the answer it guards, in one round trip. It has to be a function: a
-- single statement would read with the snapshot it had before it got the lock, and miss an answer stored in between.
CREATE FUNCTION first_answer(p_company uuid, p_route text, p_key text,
                             OUT locked boolean, OUT request_hash text, OUT body text)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  -- Held until the transaction ends: a caller that finds it taken knows that the first request is still running.
  locked := pg_try_advisory_xact_lock(hashtextextended(p_company || ' ' || p_route || ' ' || p_key, 0));
  IF locked THEN
    SELECT k.request_hash, k.body INTO request_hash, body FROM idempotency_keys k
    WHERE k.company_id = p_company AND k.route = p_route AND k.key = p_key;
  END IF;
END $$;
REVOKE ALL ON FUNCTION first_answer(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION first_answer(uuid, text, text) TO malote_app;
