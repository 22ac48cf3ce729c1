export { emailOfReturnedWithdrawal } from "./emails.ts";
export { entriesBetween, type NumberedEntry, readPeriod } from "./read.ts";
