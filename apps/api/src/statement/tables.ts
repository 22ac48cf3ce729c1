/** Tables of other folders that the statements of this one read, each with the reason (decision 0060). */
export const reads = {
  ledger_entries: "the statement is the entries of `available`",
  ledger_transactions: "description and type of an entry",
  ledger_months: "counters of a month, for its pages",
};
