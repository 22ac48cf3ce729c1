/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = [
  "batch_checks",
  "batches",
  "boleto_lookups",
  "check_confirmations",
  "failure_notices",
  "key_lookups",
  "lookup_allowances",
  "payment_attempts",
  "payment_changes",
  "payment_routes",
  "provider_references",
  "sheet_column_choices",
  "sheets",
  "transfers",
];

export const reads = {
  receivers: "saved receivers are compared with payments in one statement",
};
