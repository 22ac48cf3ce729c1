/** Public functions of limits for other features. */
export { applyDueRaises } from "./raise.ts";
export type { LimitUse } from "./store.ts";
export {
  foreseeShortage,
  moveLimits,
  overLimit,
  releaseLimits,
  takeLimits,
  tryToTake,
} from "./take.ts";
