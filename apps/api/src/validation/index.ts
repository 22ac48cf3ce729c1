/** What other features may ask of validations. */
export { settleMicroDeposits } from "./settle.ts";
