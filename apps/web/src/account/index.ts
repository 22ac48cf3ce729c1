/** Parts of the personal account that other features use. */
export { TwoFactorState } from "./two-factor-state.tsx";
