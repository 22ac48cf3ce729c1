-- Whether the last turn of the worker met a price. Months that went by without one are never charged, and only this tells a
-- price that was always there from one that was set on the day of the closing.
ALTER TABLE billing_accounts ADD COLUMN has_price boolean NOT NULL DEFAULT false;
-- As a role that sees all companies: the tables' owner may be subject to row security. One price is everybody's.
SET LOCAL ROLE malote_system;
UPDATE billing_accounts SET has_price = true WHERE EXISTS (SELECT FROM invoiced_transfers);
RESET ROLE;
