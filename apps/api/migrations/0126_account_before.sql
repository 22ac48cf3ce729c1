-- The account that received withdrawals before the first change whose wait is not over: returning to it needs no wait.
ALTER TABLE company_bank_accounts ADD COLUMN account_before jsonb;
