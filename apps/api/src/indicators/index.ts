export { countBeforeAndAfter, countMoved, type MovedCount } from "./count.ts";
