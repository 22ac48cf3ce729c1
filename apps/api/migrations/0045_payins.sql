-- What the company receives by Pix, TED, boleto and card, what it gave back, and what its card sales will still pay.

-- The source account of each method.
ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_account_check,
  ADD CONSTRAINT ledger_accounts_account_check CHECK (account IN
    ('available', 'reserved', 'blocked', 'pix_in', 'ted_in', 'boleto_in', 'card_in', 'payouts', 'fees')),
  DROP CONSTRAINT ledger_accounts_floor,
  ADD CONSTRAINT ledger_accounts_floor CHECK (balance >= 0 OR account NOT IN ('available', 'reserved', 'blocked'));

DO $$
BEGIN
  -- Replacing a function needs the rights that its owner needed.
  GRANT CREATE ON SCHEMA public TO malote_ledger;
  SET LOCAL ROLE malote_ledger;
  CREATE OR REPLACE FUNCTION open_ledger(p_company uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $open$
    INSERT INTO ledger_accounts (company_id, account)
    SELECT p_company, unnest(ARRAY['available', 'reserved', 'blocked', 'pix_in', 'ted_in', 'boleto_in', 'card_in', 'payouts', 'fees'])
    ON CONFLICT DO NOTHING;
  $open$;
  INSERT INTO ledger_accounts (company_id, account)
  SELECT a.company_id, added.account FROM ledger_accounts a, unnest(ARRAY['ted_in', 'boleto_in', 'card_in']) AS added (account)
  WHERE a.account = 'available';
  RESET ROLE;
  REVOKE CREATE ON SCHEMA public FROM malote_ledger;
END $$;

CREATE TABLE payins (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  status text NOT NULL CONSTRAINT payins_status CHECK (status IN ('pending', 'active', 'authorized', 'unauthorized', 'received',
    'blocked', 'refunding', 'partially_refunded', 'refunded', 'rejected', 'canceled', 'canceled_by_user', 'canceled_by_psp', 'expired')),
  payment_type text NOT NULL CHECK (payment_type IN
    ('pix_key', 'pix_static_qrcode', 'pix_dynamic_qrcode', 'boleto', 'boleto_qrcode', 'manual', 'credit_card', 'ted')),
  category text NOT NULL DEFAULT 'payment' CHECK (category IN ('payment', 'settlement')),
  -- Centavos. Shown as its value: the amount received, or the amount requested while nothing was received.
  amount bigint NOT NULL CHECK (amount > 0 AND amount <= 9007199254740991),
  -- The requested amount; null for money that was not requested.
  original_amount bigint CHECK (original_amount > 0),
  -- What arrived in the balance. Of a card sale: its instalments so far, gross.
  received_amount bigint NOT NULL DEFAULT 0 CHECK (received_amount BETWEEN 0 AND 9007199254740991),
  -- The amount returned to the payer, refunds under way included.
  refunded_amount bigint NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
  payer_name text,
  payer_tax_id text,
  end_to_end_id text,
  txid text,
  -- The cause under which its money is in the books. Null before the money arrives, and for cards, whose instalments
  -- arrive one by one.
  posting_cause text,
  -- For a charge: its id at the network. The id of the payin, unless it was paid a second time.
  charge_id uuid,
  -- When the network took the charge; until then no payer may be shown a code to pay.
  charged_at timestamptz,
  -- When the schedule may look at a pending charge: one without an answer, or one whose link no longer accepts a
  -- payment.
  ask_at timestamptz,
  tries int NOT NULL DEFAULT 0,
  payment_link_id uuid,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  received_at timestamptz,
  rejected_at timestamptz,
  refund_expires_at timestamptz,
  expires_at timestamptz,
  block_reason text,
  block_amount bigint CHECK (block_amount > 0),
  blocked_at timestamptz,
  unblocked_at timestamptz,
  -- What only some methods know, in the wire's own names (PAY-022). Never the number of a card.
  details jsonb NOT NULL DEFAULT '{}',
  -- The transaction that wrote the row last, by which the check of the minute finds what is new to it.
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- The payer's name, and the part of the document that a mask shows: a substring search over more digits would
  -- reveal a CPF digit by digit.
  search_text text COLLATE "C" GENERATED ALWAYS AS (
    coalesce(CASE length(payer_tax_id) WHEN 11 THEN substr(payer_tax_id, 4, 6) ELSE lower(payer_tax_id) END, '') || E'\n'
      || coalesce(fold_text(left(payer_name, 200)), '')) STORED,
  -- Codes that are found only as a whole.
  search_codes text[] COLLATE "C" NOT NULL GENERATED ALWAYS AS (array_remove(ARRAY[lower(payer_tax_id), lower(end_to_end_id),
    lower(txid), id::text, lower(details ->> 'authorization_code')], NULL)) STORED,
  PRIMARY KEY (company_id, id),
  CONSTRAINT payins_one_per_posting UNIQUE (company_id, posting_cause),
  CONSTRAINT payins_never_give_back_more CHECK (
    refunded_amount <= CASE WHEN payment_type = 'credit_card' THEN amount ELSE received_amount END),
  CONSTRAINT payins_blocks_are_whole CHECK (
    (blocked_at IS NULL) = (block_amount IS NULL) AND (unblocked_at IS NULL OR unblocked_at >= blocked_at)),
  CONSTRAINT payins_received_is_posted CHECK (payment_type = 'credit_card' OR (received_amount > 0) = (posting_cause IS NOT NULL))
);
CREATE INDEX payins_by_creation ON payins (company_id, created_at DESC, id DESC);
CREATE INDEX payins_by_end_to_end_id ON payins (company_id, end_to_end_id) WHERE end_to_end_id IS NOT NULL;
CREATE INDEX payins_by_link ON payins (company_id, payment_link_id) WHERE payment_link_id IS NOT NULL;
-- Charges that the schedule looks at.
CREATE INDEX payins_pending ON payins (company_id, ask_at) WHERE status = 'pending';
CREATE INDEX payins_by_change ON payins (changed_in);
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_in := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER payins_note_change BEFORE UPDATE ON payins FOR EACH ROW EXECUTE FUNCTION note_change();
SELECT protect_company_table('payins', 'SELECT, INSERT, UPDATE');

CREATE TABLE payin_refunds (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  payin_id uuid NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- asked: the company gives it back. infraction: the company accepted a contestation. block: a precautionary block
  -- ended so.
  nature text NOT NULL CHECK (nature IN ('asked', 'infraction', 'block')),
  status text NOT NULL CHECK (status IN ('processing', 'succeeded', 'failed')),
  -- Why the network did not do it; the money is back in the balance then.
  error text,
  -- How much is blocked should it fail: what it lifted of a precautionary block, or all of it where the block came
  -- meanwhile.
  blocked_if_failed bigint NOT NULL DEFAULT 0 CHECK (blocked_if_failed >= 0),
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- When the network is asked again, under the same id; null once it reported the result.
  ask_at timestamptz,
  tries int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, payin_id) REFERENCES payins,
  CONSTRAINT payin_refunds_end CHECK ((status = 'processing') = (finished_at IS NULL) AND (status = 'failed') = (error IS NOT NULL))
);
CREATE INDEX payin_refunds_by_payin ON payin_refunds (company_id, payin_id, created_at);
CREATE INDEX payin_refunds_to_ask ON payin_refunds (company_id, ask_at) WHERE ask_at IS NOT NULL;
SELECT protect_company_table('payin_refunds', 'SELECT, INSERT, UPDATE');

CREATE TABLE card_receivables (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  payin_id uuid NOT NULL,
  installment int NOT NULL,
  installments int NOT NULL,
  status text NOT NULL CHECK (status IN ('scheduled', 'received', 'canceled', 'refunded')),
  sold_at timestamptz NOT NULL,
  authorization_code text NOT NULL,
  gross_amount bigint NOT NULL CHECK (gross_amount > 0),
  net_amount bigint NOT NULL CHECK (net_amount > 0 AND net_amount <= gross_amount),
  expected_receive_date date NOT NULL,
  receive_date date,
  -- The refund that took it away: before it came (canceled) or after (refunded).
  refund_id uuid,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, payin_id) REFERENCES payins,
  FOREIGN KEY (company_id, refund_id) REFERENCES payin_refunds,
  CONSTRAINT card_receivables_once UNIQUE (company_id, payin_id, installment),
  CONSTRAINT card_receivables_installments CHECK (installment BETWEEN 1 AND installments AND installments <= 24),
  CONSTRAINT card_receivables_received CHECK ((receive_date IS NOT NULL) = (status IN ('received', 'refunded'))),
  CONSTRAINT card_receivables_taken_away CHECK ((refund_id IS NOT NULL) = (status IN ('canceled', 'refunded')))
);
CREATE INDEX card_receivables_by_day ON card_receivables (company_id, (coalesce(receive_date, expected_receive_date)) DESC, id DESC);
CREATE INDEX card_receivables_by_sale ON card_receivables (company_id, sold_at DESC, id DESC);
CREATE INDEX card_receivables_due ON card_receivables (company_id, expected_receive_date) WHERE status = 'scheduled';
SELECT protect_company_table('card_receivables', 'SELECT, INSERT, UPDATE');

-- The acquirer and the clearing house of the sandbox network.
CREATE TABLE sandbox.charges (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  method text NOT NULL,
  amount bigint NOT NULL,
  charge_data jsonb NOT NULL,
  taken_at timestamptz NOT NULL,
  -- waiting: not paid yet. `answer` holds the card's answer.
  state text NOT NULL CHECK (state IN ('waiting', 'paid', 'authorized', 'refused', 'expired', 'cancelled')),
  answer jsonb,
  PRIMARY KEY (company_id, id)
);
-- A payer gives a code and names no company.
CREATE INDEX charges_by_id ON sandbox.charges (id);
CREATE TABLE sandbox.refunds (
  id uuid PRIMARY KEY,
  company_id uuid NOT NULL,
  refund_data jsonb NOT NULL,
  taken_at timestamptz NOT NULL,
  news jsonb NOT NULL,
  news_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox.charges, sandbox.refunds TO malote_sandbox;

-- Pix received before this migration, each as a payin. Runs as a role that sees all companies: the tables' owner may
-- be subject to row security.
SET LOCAL ROLE malote_system;
INSERT INTO payins (company_id, id, status, payment_type, amount, received_amount, payer_name, payer_tax_id, end_to_end_id,
  posting_cause, created_at, updated_at, received_at, refund_expires_at, details)
SELECT t.company_id, uuidv7(t.at - clock_timestamp()), 'received', 'pix_key', e.amount, e.amount, t.complement -> 'payer' ->> 'name',
  t.complement -> 'payer' ->> 'document', substr(t.cause, 5), t.cause, t.at, t.at, t.at, t.at + interval '90 days', '{}'
FROM ledger_transactions t
JOIN ledger_entries e ON e.company_id = t.company_id AND e.transaction_id = t.id AND e.account = 'available'
WHERE t.cause LIKE 'pix:%' AND e.amount > 0;
RESET ROLE;
