export { tellOfWithdrawalGivenBack } from "./letters.ts";
export { entriesBetween, type NumberedEntry, readPeriod } from "./read.ts";
