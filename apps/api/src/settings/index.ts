/** Function of settings for approved requests. */
export { executeAccountChange } from "./withdrawal-account.ts";
