/** What other features may use of the personal account. */
export { TwoFactorState } from "./two-factor-state.tsx";
