/** Parts for dialogs of other folders, separate from `index.ts` because they load the rules of boletos. */
export { dayForAllText } from "./pay-day-text.ts";
