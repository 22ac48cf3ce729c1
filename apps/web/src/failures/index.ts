import { lazyPart } from "../shell/lazy-part.ts";

/** Parts that the batch's screen uses; loaded with the first batch that has failures. */
export const FailuresPanel = lazyPart(() => import("./failures-panel.tsx"));
