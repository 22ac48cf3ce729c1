/** Public functions of limits for other features. */
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
