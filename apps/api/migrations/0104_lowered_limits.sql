-- What a limit was before it was lowered: for a day that value can be restored at once, so that a thief who lowers
-- all limits with a stolen token stops no payments longer than it takes to notice.
CREATE TABLE limit_lowerings (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  period text NOT NULL CHECK (period IN ('TRANSACTION', 'DAILY', 'NIGHTLY', 'WEEKEND')),
  payment_method text NOT NULL CHECK (payment_method IN ('PIX', 'TED', 'TEV', 'BILLET')),
  value_before bigint NOT NULL CHECK (value_before BETWEEN 0 AND 9007199254740991),
  lowered_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX limit_lowerings_by_moment ON limit_lowerings (company_id, lowered_at);
SELECT protect_company_table('limit_lowerings', 'SELECT, INSERT');
