/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = ["object_history"];

export const reads = {
  transfers: "times that its row holds, where no event of them was kept",
  payins: "times that its row holds, where no event of them was kept",
  payin_refunds: "times that its row holds, where no event of them was kept",
};
