/** What other features may ask of limits. */
export { applyDueRaises } from "./raise.ts";
export {
  foreseeShortage,
  giveLimitsBack,
  moveLimits,
  overLimit,
  takeLimits,
  tryToTake,
  untake,
} from "./take.ts";
