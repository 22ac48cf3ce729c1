-- Double entry, append-only. Money moves only through post_movements: no role may write these tables any other way.

CREATE TABLE ledger_accounts (
  company_id uuid NOT NULL REFERENCES companies,
  account text NOT NULL CHECK (account IN ('available', 'reserved', 'blocked', 'pix_in', 'payouts', 'fees')),
  balance bigint NOT NULL DEFAULT 0 CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
  -- The number of entries so far. Dense, so that a page of the statement is a range of numbers.
  seq bigint NOT NULL DEFAULT 0,
  last_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (company_id, account),
  -- Accounts that stand for the outside (pix_in) may go below zero; accounts that the company owns may not.
  CONSTRAINT ledger_accounts_floor CHECK (balance >= 0 OR account IN ('pix_in', 'payouts', 'fees'))
);

-- That the company exists is what its ledger_accounts say; asking again for each of millions of rows doubles the cost.
CREATE TABLE ledger_transactions (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  -- The cause, written so that the same cause cannot post twice: 'pix:E123…', 'close:<batch>:1', 'paid:E456…'.
  cause text NOT NULL,
  description text NOT NULL,
  complement jsonb NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  CONSTRAINT ledger_transactions_one_per_cause UNIQUE (company_id, cause)
);

CREATE TABLE ledger_entries (
  company_id uuid NOT NULL,
  account text NOT NULL,
  seq bigint NOT NULL,
  transaction_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  balance_after bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, account, seq)
);
-- Times never go back within an account, so a period is a range of numbers too.
CREATE INDEX ledger_entries_by_time ON ledger_entries (company_id, account, at, seq);
CREATE INDEX ledger_entries_by_transaction ON ledger_entries (company_id, transaction_id);

-- Entries sum to zero, whichever statement writes them: an account that does not exist would otherwise lose one leg.
CREATE FUNCTION refuse_unbalanced_entries() RETURNS trigger LANGUAGE plpgsql SET search_path = public AS $$
DECLARE
  unbalanced uuid;
BEGIN
  SELECT transaction_id INTO unbalanced FROM added
  GROUP BY company_id, transaction_id HAVING sum(amount) <> 0 OR count(*) < 2 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the entries of transaction % do not sum to zero', unbalanced USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced_entries();

-- Sums of each account and São Paulo month, kept by the posting: a month's totals cost one row, not a scan.
CREATE TABLE ledger_months (
  company_id uuid NOT NULL REFERENCES companies,
  account text NOT NULL,
  month date NOT NULL,
  entries bigint NOT NULL,
  money_in bigint NOT NULL,
  money_out bigint NOT NULL,
  PRIMARY KEY (company_id, account, month)
);

SELECT protect_company_table('ledger_accounts', 'SELECT');
SELECT protect_company_table('ledger_transactions', 'SELECT');
SELECT protect_company_table('ledger_entries', 'SELECT');
SELECT protect_company_table('ledger_months', 'SELECT');
GRANT SELECT, INSERT, UPDATE ON ledger_accounts, ledger_months TO malote_ledger;
GRANT SELECT, INSERT ON ledger_transactions, ledger_entries TO malote_ledger;

CREATE TYPE movement AS (
  id uuid,
  type text,
  cause text,
  from_account text,
  to_account text,
  amount bigint,
  description text,
  complement jsonb
);

-- Opens the accounts of a new company; posting expects them.
CREATE FUNCTION open_ledger(p_company uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  INSERT INTO ledger_accounts (company_id, account)
  SELECT p_company, unnest(ARRAY['available', 'reserved', 'blocked', 'pix_in', 'payouts', 'fees'])
  ON CONFLICT DO NOTHING;
$$;

-- Posts movements in the order given, all or none.
-- true each cause is in the books now (one that already was is passed over)
-- false an account would fall below zero that must not; nothing was written
-- Accounts are locked in one order (by name), so two postings cannot deadlock. All entries of a posting carry one
-- moment, which is never before that of an entry already there.
CREATE FUNCTION post_movements(p_company uuid, p_at timestamptz, p_movements movement[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  moment timestamptz;
  falls_short boolean;
BEGIN
  IF p_company IS DISTINCT FROM current_company() THEN
    RAISE EXCEPTION 'a posting for % inside a transaction of %', p_company, current_company();
  END IF;

  SELECT greatest(p_at, max(locked.last_at)) INTO moment FROM (
    SELECT last_at FROM ledger_accounts
    WHERE company_id = p_company
      AND account IN (SELECT from_account FROM unnest(p_movements) UNION SELECT to_account FROM unnest(p_movements))
    ORDER BY account FOR UPDATE
  ) locked;

  WITH fresh AS (
    SELECT m.* FROM unnest(p_movements) WITH ORDINALITY
      AS m (id, type, cause, from_account, to_account, amount, description, complement, movement_order)
    -- Asked cause by cause, a question of the index: as a join it may read all the company ever posted.
    WHERE (SELECT t.id FROM ledger_transactions t WHERE t.company_id = p_company AND t.cause = m.cause) IS NULL
  ), legs AS MATERIALIZED (
    SELECT f.id, leg.account, leg.amount,
           a.seq + row_number() OVER in_account AS seq,
           (a.balance + sum(leg.amount) OVER in_account)::bigint AS balance_after
    FROM fresh f
    CROSS JOIN LATERAL (VALUES (f.from_account, -f.amount), (f.to_account, f.amount)) leg (account, amount)
    JOIN ledger_accounts a ON a.company_id = p_company AND a.account = leg.account
    WINDOW in_account AS (PARTITION BY leg.account ORDER BY f.movement_order ROWS UNBOUNDED PRECEDING)
  ), short AS MATERIALIZED (
    SELECT FROM legs WHERE balance_after < 0 AND account IN ('available', 'reserved', 'blocked') LIMIT 1
  ), transactions AS (
    INSERT INTO ledger_transactions (company_id, id, type, cause, description, complement, at)
    SELECT p_company, f.id, f.type, f.cause, f.description, f.complement, moment
    FROM fresh f WHERE NOT EXISTS (SELECT FROM short)
  ), entries AS (
    INSERT INTO ledger_entries (company_id, account, seq, transaction_id, amount, balance_after, at)
    SELECT p_company, account, seq, id, amount, balance_after, moment FROM legs WHERE NOT EXISTS (SELECT FROM short)
  ), totals AS (
    SELECT account, sum(amount)::bigint AS amount, count(*) AS entries,
           coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::bigint AS money_in,
           coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::bigint AS money_out
    FROM legs WHERE NOT EXISTS (SELECT FROM short) GROUP BY account
  ), accounts AS (
    UPDATE ledger_accounts a SET balance = a.balance + t.amount, seq = a.seq + t.entries, last_at = moment
    FROM totals t WHERE a.company_id = p_company AND a.account = t.account
  ), months AS (
    INSERT INTO ledger_months AS m (company_id, account, month, entries, money_in, money_out)
    SELECT p_company, account, date_trunc('month', moment AT TIME ZONE 'America/Sao_Paulo')::date, entries, money_in, money_out
    FROM totals
    ON CONFLICT (company_id, account, month) DO UPDATE
    SET entries = m.entries + excluded.entries,
        money_in = m.money_in + excluded.money_in,
        money_out = m.money_out + excluded.money_out
  )
  SELECT EXISTS (SELECT FROM short) INTO falls_short;
  RETURN NOT falls_short;
END $$;

DO $$
BEGIN
  -- The functions run as malote_ledger, which is subject to row security as every role is.
  GRANT CREATE ON SCHEMA public TO malote_ledger;
  ALTER FUNCTION open_ledger(uuid) OWNER TO malote_ledger;
  ALTER FUNCTION post_movements(uuid, timestamptz, movement[]) OWNER TO malote_ledger;
  REVOKE CREATE ON SCHEMA public FROM malote_ledger;
END $$;
REVOKE ALL ON FUNCTION open_ledger(uuid), post_movements(uuid, timestamptz, movement[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_ledger(uuid), post_movements(uuid, timestamptz, movement[]) TO malote_app;
GRANT EXECUTE ON FUNCTION current_company() TO malote_ledger;
