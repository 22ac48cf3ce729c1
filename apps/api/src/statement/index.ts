export { tellOfWithdrawalGivenBack } from "./letters.ts";
export { receiveDeposits } from "./receive-deposits.ts";
