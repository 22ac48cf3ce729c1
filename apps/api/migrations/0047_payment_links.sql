-- Links that a company sends to its payers. The payins that came through a link say whether it was paid.
CREATE TABLE payment_links (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- The token of its address: 128 random bits, which cannot be guessed.
  token text NOT NULL CONSTRAINT payment_links_token CHECK (token ~ '^[A-Za-z0-9_-]{22}$'),
  name text NOT NULL CONSTRAINT payment_links_name CHECK (char_length(name) BETWEEN 1 AND 50),
  description text CONSTRAINT payment_links_description CHECK (char_length(description) BETWEEN 1 AND 100),
  amount bigint NOT NULL CONSTRAINT payment_links_amount CHECK (amount BETWEEN 1 AND 9999999999),
  -- The last day, in São Paulo, on which it takes a payment.
  expires_on date NOT NULL,
  payment_methods text[] NOT NULL CONSTRAINT payment_links_methods CHECK (
    cardinality(payment_methods) > 0 AND payment_methods <@ '{credit_card,boleto,pix}'),
  boleto_due_days int CONSTRAINT payment_links_due_days CHECK (boleto_due_days BETWEEN 1 AND 999),
  max_installments int CONSTRAINT payment_links_installments CHECK (max_installments BETWEEN 1 AND 24),
  created_at timestamptz NOT NULL,
  -- Deleted: the link no longer opens, and the payins that came through it keep their reference to it.
  removed_at timestamptz,
  PRIMARY KEY (company_id, id),
  CONSTRAINT payment_links_details CHECK (
    (boleto_due_days IS NOT NULL) = ('boleto' = ANY (payment_methods))
    AND (max_installments IS NOT NULL) = ('credit_card' = ANY (payment_methods)))
);
SELECT protect_company_table('payment_links', 'SELECT, INSERT, UPDATE');

-- Across companies: a visitor who opens a link brings only the token.
CREATE UNIQUE INDEX payment_links_by_token ON payment_links (token);
CREATE INDEX payment_links_newest ON payment_links (company_id, created_at DESC, id DESC) WHERE removed_at IS NULL;
