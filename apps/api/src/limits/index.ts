/** Public functions of limits for other features. */

export {
  consumeLimits,
  foreseeShortage,
  moveLimits,
  overLimit,
  releaseLimits,
  tryToConsume,
} from "./consume.ts";
export { applyDueRaises } from "./raise.ts";
export type { LimitUse } from "./store.ts";
