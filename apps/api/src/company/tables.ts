/** Tables that this folder owns (decision 0060). */
export const owns = ["blocked_tax_ids", "checkpoints", "companies", "company_bank_accounts"];
