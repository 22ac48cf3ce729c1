/** What other features may ask of receivers. */
export { importedReceivers } from "./imported.ts";
