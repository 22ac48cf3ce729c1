/**
 * Calls that not every person of their application makes, repeated here: a policy opened by mistake, and the screen that
 * hides a button by it, would otherwise agree with each other. A new call with a rule of its own needs its line.
 */
import { expect, it } from "vitest";
import { contracts } from "./index.ts";
import type { Policy } from "./policy.ts";

/** Who makes the call, of which application, with which permission and which feature of the company. */
const table: Record<string, readonly string[]> = {
  "admin of either application": [
    "cancelLimitRaise",
    "changeCompany",
    "changeLimit",
    "changeUser",
    "listInvoices",
    "listUsers",
    "readCompany",
    "readHasOverdue",
    "readHasPayRequest",
    "readLogo",
    "readPayRequest",
    "readTransferLimits",
    "readUser",
    "removeUser",
    "resetTwoFactor",
    "sendPasswordLink",
  ],
  "admin of either application with user_create": ["createUser"],
  "admin of payments": [
    "cancelPixKeyClaim",
    "changeCompanySettings",
    "closeBatch",
    "downloadAuditTrail",
    "downloadMonthlyReport",
    "enableBatchEdit",
    "exportAuditTrail",
    "listAuditActors",
    "listAuditTrail",
    "readAuditTrailExport",
    "readControls",
    "requestMonthlyReport",
    "saveCompanyBankAccount",
    "saveControls",
    "uploadLogo",
  ],
  "admin of payments with pix_key_accept_portability": ["confirmPixKeyClaim"],
  "admin of payments with pix_key_delete": ["deletePixKey"],
  "admin of payments with pix_key_register": [
    "claimPixKey",
    "createPixKey",
    "resendPixKeyCode",
    "verifyPixKey",
  ],
  "admin of validation": [
    "changeValidationCompany",
    "changeValidationUser",
    "listValidationUsers",
    "readValidationCompany",
    "readValidationUser",
    "removeValidationUser",
    "resetValidationTwoFactor",
    "sendValidationPasswordLink",
  ],
  "admin of validation with user_create": ["createValidationUser"],
  "admin or operator of payments": [
    "addBoleto",
    "addTransfer",
    "approveBatch",
    "approveRequest",
    "cancelScheduledBatch",
    "cancelSheet",
    "changeBoleto",
    "changeReceiver",
    "changeTransfer",
    "confirmBatchChecks",
    "countApprovalRequests",
    "createBatch",
    "createReceiver",
    "deleteBatch",
    "downloadModelSheet",
    "fixIssueGroup",
    "importBoletoSheet",
    "importSheet",
    "listApprovalRequests",
    "lookUpBoleto",
    "lookUpPixCode",
    "lookUpPixKey",
    "readSheet",
    "refundBoleto",
    "refundPayin",
    "refundTransfer",
    "rejectBatch",
    "rejectRequest",
    "removeBoleto",
    "removeReceiver",
    "removeReceivers",
    "removeTransfer",
    "removeTransfers",
    "renameBatch",
    "resendFailures",
    "returnFailures",
    "saveBatch",
    "sendBatchToApproval",
    "setBatchReconciled",
    "uploadSheet",
  ],
  "admin or operator of payments with api_credentials_generate": [
    "createCredential",
    "listCredentials",
    "revokeCredential",
  ],
  "admin or operator of payments with balance_withdrawal": ["withdrawBalance"],
  "admin or operator of payments with contacerta_validation": [
    "readDraftAccountValidation",
    "validateDraftAccount",
  ],
  "admin or operator of payments with infractions_manage": ["answerInfraction", "approveInfractions"],
  "admin or operator of payments with payment_link_generate": ["createPaymentLink", "removePaymentLink"],
  "admin or operator of validation with api_credentials_generate": [
    "createValidationCredential",
    "listValidationCredentials",
    "revokeValidationCredential",
  ],
  "admin or operator of validation with contacerta_validation": ["createValidation"],
  "every person of either application": [
    "changeMe",
    "changePassword",
    "confirmIdentity",
    "createCheckpoint",
    "logout",
    "makeRecoveryCodes",
    "readCheckpoint",
    "readLimits",
    "readMe",
    "readRecoveryCodes",
    "readStatusPage",
    "readTwoFactorSecret",
    "readUserSettings",
    "setTwoFactor",
  ],
  "every person of payments and card-charge": [
    "downloadReceivableReport",
    "listReceivables",
    "readReceivableReport",
    "readReceivableTotals",
    "requestReceivableReport",
  ],
  "every person of payments with infractions_manage": [
    "downloadInfractionExport",
    "exportInfractions",
    "listInfractionRefunds",
    "listInfractions",
    "readInfraction",
    "readInfractionExport",
    "readInfractionTerms",
    "readPendingInfractions",
  ],
};

function makersOf(policy: Extract<Policy, { access: "session" }>): string {
  const { profiles, applications, permission, flag } = policy;
  const who = profiles.length === 3 ? "every person" : profiles.join(" or ");
  const where = applications.length === 2 ? "either application" : applications.join();
  return `${who} of ${where}${permission ? ` with ${permission}` : ""}${flag ? ` and ${flag}` : ""}`;
}

it("SES-050 SES-051 SES-052 SES-053 SES-059 permits each call to these profiles, in this application, with this permission", () => {
  const found: Record<string, string[]> = {};
  for (const { id, base, policy } of contracts) {
    if (policy.access !== "session") continue;
    const makers = makersOf(policy);
    const usual = base === "contacerta" ? "every person of validation" : "every person of payments";
    if (makers === usual) continue;
    found[makers] = [...(found[makers] ?? []), id].sort();
  }
  expect(found).toEqual(table);
});
