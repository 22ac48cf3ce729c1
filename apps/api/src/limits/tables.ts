/** Tables that this folder owns (decision 0060). */
export const owns = ["limit_lowerings", "limit_raises", "limit_sums"];
