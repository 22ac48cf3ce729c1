export { sandboxAccountCheck } from "./account-check.ts";
export { billetsToTry, sandboxBilletRegister } from "./billet-register.ts";
export { magicValues } from "./magic-values.ts";
export { createSandboxNetwork, type SandboxNetwork } from "./network.ts";
export { pixCodesToTry, sandboxPixCodes } from "./pix-codes.ts";
