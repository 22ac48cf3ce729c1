export { sandboxAccountCheck } from "./account-check.ts";
export { magicValues } from "./magic-values.ts";
export { createSandboxNetwork, type SandboxNetwork } from "./network.ts";
