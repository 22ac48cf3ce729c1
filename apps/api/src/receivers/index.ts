/** What other features may ask of receivers. */
export { hasImportedReceivers, removeImportedReceivers } from "./imported.ts";
