/** Tables of other folders that the statements of this one read, each with the reason (decision 0060). */
export const reads = {
  transfers: "payments that arrived, as a receipt shows them",
  batches: "the name of its batch, on the receipt",
};
