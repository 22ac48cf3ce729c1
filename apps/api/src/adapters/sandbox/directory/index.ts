export { createSandboxDirectory, type Outside, type SandboxDirectory } from "./directory.ts";
export { registrationMagicValues } from "./magic-values.ts";
export { insertEntry } from "./store.ts";
