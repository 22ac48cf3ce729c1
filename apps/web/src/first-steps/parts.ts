/** Form and lines of the withdrawal account, for screens that load when they are opened. */
export { useAutomaticCorrection } from "./api.ts";
export {
  type AccountProblems,
  emptyAccount,
  fieldIdOf,
  readRefusedFields,
  toWithdrawalAccount,
  useAccountProblems,
} from "./withdrawal-account.ts";
export { WithdrawalAccountFields } from "./withdrawal-account-fields.tsx";
export { useWithdrawalAccountLines } from "./withdrawal-account-lines.ts";
