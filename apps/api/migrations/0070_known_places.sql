-- Where people and machines signed in before, by a hash of the name with the network or the browser: attempts from
-- there have a limit of their own, which strangers cannot use up (decision 0028).
CREATE TABLE sign_in_places (
  subject text PRIMARY KEY,
  seen_at timestamptz NOT NULL
);
CREATE INDEX sign_in_places_by_age ON sign_in_places (seen_at);
GRANT SELECT ON sign_in_places TO malote_system;

-- A company's transaction withdraws its own attempt and remembers its own place, and neither sees nor changes any
-- other's.
REVOKE ALL ON sign_in_failures FROM malote_app;
CREATE FUNCTION forgive_try(p_id uuid, p_subjects text[], p_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM sign_in_failures WHERE subject = ANY (p_subjects) AND failed_at = p_at AND id = p_id;
$$;
CREATE FUNCTION remember_places(p_places text[], p_now timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM sign_in_places WHERE seen_at < p_now - interval '90 days';
  INSERT INTO sign_in_places AS known (subject, seen_at) SELECT place, p_now FROM unnest(p_places) AS place ORDER BY place
  ON CONFLICT (subject) DO UPDATE SET seen_at = greatest(known.seen_at, excluded.seen_at);
$$;
DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  GRANT INSERT, UPDATE, DELETE ON sign_in_places TO malote_system;
  ALTER FUNCTION forgive_try(uuid, text[], timestamptz) OWNER TO malote_system;
  ALTER FUNCTION remember_places(text[], timestamptz) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION forgive_try(uuid, text[], timestamptz), remember_places(text[], timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forgive_try(uuid, text[], timestamptz), remember_places(text[], timestamptz) TO malote_app, malote_system;

-- Sign-in by e-mail runs as malote_system; a company's transaction may claim an address for its own person, and
-- learns only whether that person now has it.
CREATE FUNCTION claim_sign_in_name(p_name text, p_subject uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO sign_in_names (name, kind, company_id, subject_id) VALUES (p_name, 'user', current_company(), p_subject)
  ON CONFLICT DO NOTHING;
  RETURN EXISTS (SELECT FROM sign_in_names WHERE name = p_name AND company_id = current_company() AND subject_id = p_subject);
END $$;
DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_system;
  ALTER FUNCTION claim_sign_in_name(text, uuid) OWNER TO malote_system;
  REVOKE CREATE ON SCHEMA public FROM malote_system;
END $$;
REVOKE ALL ON FUNCTION claim_sign_in_name(text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_sign_in_name(text, uuid) TO malote_app;
