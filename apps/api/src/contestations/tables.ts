/** Tables that this folder owns (decision 0060). */
export const owns = ["infraction_refund_movements", "infraction_refunds", "infractions"];
