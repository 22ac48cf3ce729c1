/** Functions of the home page that other features may call. */
export { type WorkSource, workOf, workShownMax } from "./work.ts";
