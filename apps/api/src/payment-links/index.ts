/** Public functions of payment links for other features. */
export { statusAt } from "./present.ts";
export { findByToken, findLink, type LinkRow } from "./store.ts";
