/** What other features may ask of receivers. */
export { rememberReceivers } from "./remember.ts";
