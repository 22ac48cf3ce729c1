/** What the sandbox's other halves share with its payment network: one set of rules for all of this world. */
export { happens } from "./sandbox/chance.ts";
export { NoAnswer } from "./sandbox/rails.ts";
export { readSettings } from "./sandbox/settings.ts";
export { countCall } from "./sandbox/store.ts";
