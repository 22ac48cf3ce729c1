/** What other features may ask of limits. */
export { applyDueRaises } from "./raise.ts";
export {
  foreseeShortage,
  giveLimitsBack,
  moveLimits,
  overLimit,
  releaseLimits,
  takeLimits,
  tryToTake,
} from "./take.ts";
