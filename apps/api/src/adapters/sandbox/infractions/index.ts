export { createSandboxProvider, type SandboxProvider } from "./provider.ts";
