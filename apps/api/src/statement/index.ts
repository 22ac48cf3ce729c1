export { payeeComplement } from "./payees.ts";
export { entriesBetween, type NumberedEntry } from "./read.ts";
export { carryOutWithdrawal } from "./withdraw.ts";
