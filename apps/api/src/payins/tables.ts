/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = ["payin_refunds", "payins", "received_payments"];

export const reads = {
  payment_links: "the link of a payin, shown, searched, and locked before it is paid",
  infractions: "the infractions of a payin, shown",
};
