export { payeeComplement } from "./payees.ts";
export { listEntriesBetween, type NumberedEntry } from "./read.ts";
export { executeWithdrawal } from "./withdraw.ts";
