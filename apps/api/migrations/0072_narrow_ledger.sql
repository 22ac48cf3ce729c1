-- Limits what an injected statement can do to the books. post_movements took any amount between any two accounts; the
-- product's own code moves positive amounts, between these pairs of accounts.
CREATE TABLE ledger_moves (
  from_account text NOT NULL,
  to_account text NOT NULL,
  PRIMARY KEY (from_account, to_account)
);
INSERT INTO ledger_moves VALUES
  ('pix_in', 'available'), ('ted_in', 'available'), ('boleto_in', 'available'), ('card_in', 'available'),
  ('available', 'pix_in'), ('available', 'card_in'),
  ('available', 'reserved'), ('reserved', 'available'), ('reserved', 'payouts'), ('available', 'payouts'), ('payouts', 'available'),
  ('available', 'blocked'), ('blocked', 'available'), ('available', 'fees'), ('fees', 'available');
GRANT SELECT ON ledger_moves TO malote_ledger;

ALTER FUNCTION post_movements(uuid, timestamptz, movement[]) RENAME TO post_allowed_movements;
REVOKE ALL ON FUNCTION post_allowed_movements(uuid, timestamptz, movement[]) FROM malote_app;

DO $$
BEGIN
  -- Creating a function for another owner needs the rights that its owner needs.
  GRANT CREATE ON SCHEMA public TO malote_ledger;
  SET LOCAL ROLE malote_ledger;
  CREATE FUNCTION post_movements(p_company uuid, p_at timestamptz, p_movements movement[]) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $post$
  DECLARE
    wrong text;
  BEGIN
    SELECT coalesce(m.cause, '') INTO wrong FROM unnest(p_movements) m
    WHERE m.amount IS NULL OR m.amount <= 0
      OR NOT EXISTS (SELECT FROM ledger_moves a WHERE a.from_account = m.from_account AND a.to_account = m.to_account)
    LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'no such movement of money: %', wrong USING ERRCODE = 'check_violation';
    END IF;
    RETURN post_allowed_movements(p_company, p_at, p_movements);
  END $post$;
  CREATE OR REPLACE FUNCTION open_ledger(p_company uuid) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $open$
  BEGIN
    IF p_company IS DISTINCT FROM coalesce(nullif(current_setting('app.company_id', true), '')::uuid, p_company) THEN
      RAISE EXCEPTION 'a ledger for % inside a transaction of %', p_company, current_company();
    END IF;
    INSERT INTO ledger_accounts (company_id, account)
    SELECT p_company, unnest(ARRAY['available', 'reserved', 'blocked', 'pix_in', 'ted_in', 'boleto_in', 'card_in', 'payouts', 'fees'])
    ON CONFLICT DO NOTHING;
  END $open$;
  RESET ROLE;
  REVOKE CREATE ON SCHEMA public FROM malote_ledger;
END $$;
REVOKE ALL ON FUNCTION post_movements(uuid, timestamptz, movement[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_movements(uuid, timestamptz, movement[]) TO malote_app;
