-- Whether a price was set at the worker's last run. Months without a price are never charged, and this column alone
-- distinguishes a price that was always there from one that was set on the day of the closing.
ALTER TABLE billing_accounts ADD COLUMN has_price boolean NOT NULL DEFAULT false;
-- Runs as a role that sees all companies: the tables' owner may be subject to row security. One price applies to
-- every company.
SET LOCAL ROLE malote_system;
UPDATE billing_accounts SET has_price = true WHERE EXISTS (SELECT FROM invoiced_transfers);
RESET ROLE;
