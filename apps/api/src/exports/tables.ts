/** Tables that this folder owns (decision 0060). */
export const owns = ["exports"];
