/** What other features may ask of receivers. */
export { hasBroughtReceivers, removeBroughtReceivers } from "./brought.ts";
export { rememberReceivers } from "./remember.ts";
