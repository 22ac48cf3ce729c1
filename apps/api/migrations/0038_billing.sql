-- What the operator of the installation charges its companies: an invoice a month for the payments that arrived in it.

-- From which month on a company is charged, and up to which its months are closed. The closing locks the row.
CREATE TABLE billing_accounts (
  company_id uuid PRIMARY KEY REFERENCES companies,
  charged_since date NOT NULL,
  closed_until date NOT NULL,
  CONSTRAINT billing_accounts_in_months CHECK (
    extract(day FROM charged_since) = 1 AND extract(day FROM closed_until) = 1 AND closed_until >= charged_since)
);
SELECT protect_company_table('billing_accounts', 'SELECT, INSERT, UPDATE');

CREATE TABLE invoices (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  billing_period_start date NOT NULL CHECK (extract(day FROM billing_period_start) = 1),
  amount_of_transfers int NOT NULL CHECK (amount_of_transfers > 0),
  -- Centavos, at the price of the day of the closing.
  price_per_transfer bigint NOT NULL CHECK (price_per_transfer > 0),
  total bigint NOT NULL CHECK (total <= 9007199254740991),
  due_date date NOT NULL CHECK (due_date > billing_period_start),
  closed_at timestamptz NOT NULL,
  -- Set by the operator's own system; whether an invoice is overdue is computed from the clock.
  paid_at timestamptz,
  protested_at timestamptz,
  electronic_invoice_url text,
  ticket_url text,
  PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_once_a_month UNIQUE (company_id, billing_period_start),
  CONSTRAINT invoices_add_up CHECK (total = amount_of_transfers * price_per_transfer)
);
SELECT protect_company_table('invoices', 'SELECT, INSERT, UPDATE');

-- Which payments an invoice counted: each at most once, however late its arrival was reported. A payment that arrived
-- is never deleted.
CREATE TABLE invoiced_transfers (
  company_id uuid NOT NULL,
  transfer_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  -- The order of its report, from 1.
  position int NOT NULL,
  PRIMARY KEY (company_id, transfer_id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices
);
CREATE UNIQUE INDEX invoiced_transfers_by_invoice ON invoiced_transfers (company_id, invoice_id, position);
SELECT protect_company_table('invoiced_transfers', 'SELECT, INSERT');
