/** What other features may ask of payment links. */
export { statusAt } from "./present.ts";
export { findByToken, findLink, type LinkRow } from "./store.ts";
