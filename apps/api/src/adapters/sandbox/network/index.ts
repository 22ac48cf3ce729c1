export { sandboxAccountCheck } from "./account-check.ts";
export { boletosToTry, sandboxBoletoRegister } from "./boleto-register.ts";
export { magicValues } from "./magic-values.ts";
export { createSandboxNetwork, type SandboxNetwork } from "./network.ts";
export { pixCodesToTry, sandboxPixCodes } from "./pix-codes.ts";
