-- The audit trail is a chain: each entry's hash covers its content and the hash of the one before, so that the books
-- check finds an entry that was changed, removed, inserted or moved (decision 0034). The chain is made at COMMIT:
-- transactions do not wait for each other while they run, and no entry can exist without its link.

CREATE TABLE audit_chain (
  company_id uuid NOT NULL REFERENCES companies,
  seq bigint NOT NULL CHECK (seq > 0),
  entry_id uuid NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (company_id, seq),
  CONSTRAINT audit_chain_once UNIQUE (company_id, entry_id)
);
-- The end of a company's chain: without it a removed last link would go unnoticed.
CREATE TABLE audit_heads (
  company_id uuid PRIMARY KEY REFERENCES companies,
  seq bigint NOT NULL,
  hash bytea NOT NULL
);
SELECT protect_company_table('audit_chain', 'SELECT');
SELECT protect_company_table('audit_heads', 'SELECT');
GRANT SELECT ON audit_entries TO malote_ledger;
GRANT SELECT, INSERT ON audit_chain TO malote_ledger;
GRANT SELECT, INSERT, UPDATE ON audit_heads TO malote_ledger;

-- The content of an entry in one canonical form, the same on every server.
CREATE FUNCTION audit_text(e audit_entries) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_array(e.company_id, e.id, extract(epoch FROM e.at), e.actor_kind, e.actor_id, e.actor_name, e.action,
    e.subject_id, e.detail, e.request_id)::text
$$;
CREATE FUNCTION audit_hash(previous bytea, seq bigint, content text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(previous || convert_to(seq || ' ' || content, 'UTF8'))
$$;

CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_heads;
BEGIN
  SELECT * INTO head FROM audit_heads WHERE company_id = NEW.company_id FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO audit_heads VALUES (NEW.company_id, 0, '') ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM audit_heads WHERE company_id = NEW.company_id FOR UPDATE;
  END IF;
  head.seq := head.seq + 1;
  head.hash := audit_hash(head.hash, head.seq, audit_text(NEW));
  INSERT INTO audit_chain VALUES (NEW.company_id, head.seq, NEW.id, head.hash);
  UPDATE audit_heads SET seq = head.seq, hash = head.hash WHERE company_id = NEW.company_id;
  RETURN NULL;
END $$;
DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO malote_ledger;
  ALTER FUNCTION chain_audit_entry() OWNER TO malote_ledger;
  REVOKE CREATE ON SCHEMA public FROM malote_ledger;
END $$;
REVOKE ALL ON FUNCTION chain_audit_entry() FROM PUBLIC;

-- Entries written before are chained as they are, oldest first. Runs as a role that sees all companies: the tables'
-- owner may be subject to row security.
SET LOCAL ROLE malote_ledger;
DO $$
DECLARE
  entry audit_entries;
  head audit_heads;
BEGIN
  FOR entry IN SELECT * FROM audit_entries ORDER BY company_id, at, id LOOP
    IF head.company_id IS DISTINCT FROM entry.company_id THEN
      IF head.company_id IS NOT NULL THEN
        INSERT INTO audit_heads VALUES (head.company_id, head.seq, head.hash);
      END IF;
      head := ROW(entry.company_id, 0, '')::audit_heads;
    END IF;
    head.seq := head.seq + 1;
    head.hash := audit_hash(head.hash, head.seq, audit_text(entry));
    INSERT INTO audit_chain VALUES (entry.company_id, head.seq, entry.id, head.hash);
  END LOOP;
  IF head.company_id IS NOT NULL THEN
    INSERT INTO audit_heads VALUES (head.company_id, head.seq, head.hash);
  END IF;
END $$;
RESET ROLE;

CREATE CONSTRAINT TRIGGER audit_entries_are_chained AFTER INSERT ON audit_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
