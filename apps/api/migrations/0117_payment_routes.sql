-- Which connection carries a company's payments of a method (decision 0049). Without a row: the installation's own.
CREATE TABLE payment_routes (
  company_id uuid NOT NULL REFERENCES companies,
  method text NOT NULL CHECK (method IN ('PIX', 'TED', 'TEV', 'BILLET')),
  connection text NOT NULL,
  PRIMARY KEY (company_id, method)
);
SELECT protect_company_table('payment_routes', 'SELECT');
GRANT INSERT, UPDATE, DELETE ON payment_routes TO malote_system;
