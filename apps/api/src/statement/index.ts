export { entriesBetween, type NumberedEntry } from "./read.ts";
