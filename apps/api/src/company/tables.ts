/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = ["blocked_tax_ids", "checkpoints", "companies", "company_bank_accounts"];

export const reads = {
  receivers: "first steps: whether there is one",
  batches: "first steps: whether there is one",
};
