import { lazyPart } from "../shell/lazy-part.ts";

/** What the batch's screen takes from here: it loads with the first batch that has failures. */
export const FailuresPanel = lazyPart(() => import("./failures-panel.tsx"));
