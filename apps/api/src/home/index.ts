/** What other features may ask of the home page. */
export { type WorkSource, workOf, workShownMax } from "./work.ts";
