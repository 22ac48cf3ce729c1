export { type MagicValue, magicValues } from "./magic-values.ts";
export { createSandboxNetwork, type PixDeposit, type SandboxNetwork } from "./network.ts";
