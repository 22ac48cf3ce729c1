/** Public functions of validations for other features. */
export { settleMicroDeposits } from "./settle.ts";
