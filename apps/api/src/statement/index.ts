export { receiveDeposits } from "./receive-deposits.ts";
