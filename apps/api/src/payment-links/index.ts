/** Public functions of payment links for other features. */
export { statusAt } from "./present.ts";
