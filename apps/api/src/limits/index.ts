/** Public functions of limits for other features. */
export { applyDueRaises } from "./raise.ts";
export type { LimitUse } from "./store.ts";
export {
  consumeLimits,
  foreseeShortage,
  moveLimits,
  overLimit,
  releaseLimits,
  tryToConsume,
} from "./take.ts";
