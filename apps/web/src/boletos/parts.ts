/** What dialogs of other folders take from here, apart from `index.ts`: it brings the rules of boletos along. */
export { dayForAllText } from "./pay-day-text.ts";
