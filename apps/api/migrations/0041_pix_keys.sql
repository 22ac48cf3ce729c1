-- Companies register, prove, claim and give up Pix keys themselves. A request to the directory is kept with the key
-- until it is answered, so that a lost answer is requested again under the same id.

ALTER TABLE pix_keys
  -- Null while the directory has not made the random key yet.
  ALTER COLUMN key DROP NOT NULL,
  -- Since when the directory lists it as the company's; null before.
  ADD COLUMN ownership_date timestamptz,
  -- Of the status: the time to answer a claim counts from here.
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  -- Why it could not be linked, or why the last request came to nothing.
  ADD COLUMN error_code text,
  -- Encrypted, and kept until the person enters it or the key is gone.
  ADD COLUMN code_secret text,
  ADD COLUMN code_sent_at timestamptz,
  ADD COLUMN code_tries int NOT NULL DEFAULT 0,
  ADD COLUMN code_sends int NOT NULL DEFAULT 0,
  -- The day in São Paulo of the last code, and how many were sent on it.
  ADD COLUMN code_day date,
  ADD COLUMN code_day_sends int NOT NULL DEFAULT 0,
  -- Of its last claim, by us or by another institution: reports of the claim name it by this id.
  ADD COLUMN claim_id uuid,
  ADD COLUMN ask text CHECK (ask IN ('register', 'remove', 'claim', 'cancel_claim', 'confirm_claim')),
  ADD COLUMN ask_id uuid,
  ADD COLUMN asked_at timestamptz,
  DROP CONSTRAINT pix_keys_company_id_key_key,
  ADD CONSTRAINT pix_keys_type CHECK (key_type IN ('TELEFONE', 'CNPJ', 'CPF', 'EMAIL', 'CHAVE_ALEATORIA')),
  ADD CONSTRAINT pix_keys_status CHECK (status IN (
    'PENDING', 'VALIDATING', 'REGISTERED', 'ERROR', 'PENDING_REMOVAL', 'REMOVED', 'WAITING_PORTABILITY', 'WAITING_CLAIM',
    'PORTABILITY_REQUESTED', 'CLAIM_REQUESTED', 'PORTABILITY_IN_PROGRESS', 'CLAIM_IN_PROGRESS',
    'WAITING_PORTABILITY_APPROVAL', 'WAITING_CLAIM_APPROVAL')),
  ADD CONSTRAINT pix_keys_asked_whole CHECK (num_nulls(ask, ask_id, asked_at) IN (0, 3)),
  ADD CONSTRAINT pix_keys_without_key CHECK (key IS NOT NULL
    OR (key_type = 'CHAVE_ALEATORIA' AND status IN ('PENDING', 'ERROR', 'REMOVED')));

SET LOCAL ROLE malote_system;
UPDATE pix_keys SET ownership_date = created_at, updated_at = created_at;
RESET ROLE;

-- A removed key stays on record and may be registered again.
CREATE UNIQUE INDEX pix_keys_once ON pix_keys (company_id, key) WHERE status <> 'REMOVED';
CREATE INDEX pix_keys_by_key ON pix_keys (key);
CREATE INDEX pix_keys_by_claim ON pix_keys (company_id, claim_id) WHERE claim_id IS NOT NULL;
-- What the clock looks for.
CREATE INDEX pix_keys_asked ON pix_keys (asked_at) WHERE ask IS NOT NULL;
CREATE INDEX pix_keys_to_answer ON pix_keys (updated_at)
  WHERE status IN ('WAITING_PORTABILITY_APPROVAL', 'WAITING_CLAIM_APPROVAL');

-- How many codes the holder of the key received that day, whichever company sent them: a company's transactions see
-- their own rows alone. A caller that sends another waits for those that send at the same moment.
CREATE FUNCTION pix_key_codes_on(p_key text, p_day date) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('codes to ' || p_key, 0));
  RETURN (SELECT coalesce(sum(code_day_sends), 0) FROM pix_keys WHERE key = p_key AND code_day = p_day);
END $$;
DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION pix_key_codes_on(text, date) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION pix_key_codes_on(text, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pix_key_codes_on(text, date) TO malote_app;
