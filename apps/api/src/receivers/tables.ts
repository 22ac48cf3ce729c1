/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = ["receivers"];

export const reads = {
  transfers: "receivers are saved from payments in one statement",
};
