-- The account that withdrawals went to before the first change whose wait is not over: going back to it waits for nothing.
ALTER TABLE company_bank_accounts ADD COLUMN account_before jsonb;
