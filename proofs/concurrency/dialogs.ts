/** Every place of the screens where one button sends money, or a decision about money. */
import type { MoneyDialog } from "./dialogs/money-dialog.ts";
import { ofBalance, ofRequests, ofValidations } from "./dialogs/of-balance.ts";
import { ofApproval, ofClosing, ofLine } from "./dialogs/of-batches.ts";
import { ofContestations, ofPayins } from "./dialogs/of-payins.ts";
import { ofPayments } from "./dialogs/of-payments.ts";
import { ofSheets } from "./dialogs/of-sheets.ts";

export const moneyDialogs: readonly MoneyDialog[] = [
  ...ofClosing,
  ...ofPayments,
  ...ofApproval,
  ...ofLine,
  ...ofSheets,
  ...ofBalance,
  ...ofRequests,
  ...ofValidations,
  ...ofContestations,
  ...ofPayins,
];
