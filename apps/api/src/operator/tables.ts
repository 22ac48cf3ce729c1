/** Tables that this folder owns (decision 0060). */
export const owns = ["installation", "installation_notices", "operator_entries"];
