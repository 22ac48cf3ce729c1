/** Tables that this folder owns (decision 0060). */
export const owns = ["payin_refunds", "payins", "payment_links", "received_payments"];
