/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = ["billing_accounts", "invoiced_transfers", "invoices"];

export const reads = {
  transfers: "payments that arrived are counted once, in the statement that writes the invoice",
  batches: "payments of system batches are not charged; the report is in the order of batches",
};
