export { entriesBetween, type NumberedEntry, readPeriod } from "./read.ts";
