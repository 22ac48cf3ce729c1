/** What the other half of the sandbox network, which collects, shares with this one: its chance, its memory and its bank. */
export { happens, shareOf } from "./sandbox/chance.ts";
export { outsideBank, type SandboxNetwork } from "./sandbox/network.ts";
export { NoAnswer } from "./sandbox/rails.ts";
export { readSettings } from "./sandbox/settings.ts";
export { countCall, insertEvent } from "./sandbox/store.ts";
