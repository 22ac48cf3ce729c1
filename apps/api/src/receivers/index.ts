/** Public functions of receivers for other features. */
export { importedReceivers } from "./imported.ts";
export { hasAnyReceiver } from "./store.ts";
