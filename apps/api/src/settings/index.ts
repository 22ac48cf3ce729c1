/** Function of settings for approved requests. */
export { carryOutAccount } from "./withdrawal-account.ts";
