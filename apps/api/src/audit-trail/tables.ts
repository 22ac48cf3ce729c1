/** Tables of other folders that the statements of this one read, each with the reason (decision 0060). */
export const reads = {
  audit_entries: "the trail is shown and taken as a sheet",
  audit_chain: "the hash beside each entry of the trail",
};
