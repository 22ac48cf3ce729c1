import type { Fault } from "../fault.ts";

const api = (path: string) => `apps/api/src/${path}`;
const test = (path: string, title: string) => ({ file: api(`${path}.test.ts`), test: title });

/** Faults of actions that omit a check, a refusal or a step. */
export const stepFaults: Fault[] = [
  {
    name: "a batch is closed without confirmed checks",
    plant: { file: api("payouts/batches/close.ts"), step: "requireChecksConfirmed" },
    caughtBy: test(
      "payouts/checks/checks",
      "does not close, approve or send on a batch with a missing confirmation",
    ),
  },
  {
    name: "a blocked company can close a batch",
    plant: { file: api("payouts/batches/close.ts"), step: "company_blocked" },
    caughtBy: test("payouts/batches/changed-rules", "sends nothing for a blocked company"),
  },
  {
    name: "a blocked company can refund a received payment",
    plant: { file: api("controls/requests.ts"), step: "requireMayPay" },
    caughtBy: test("controls/blocked-company", "is not refunded"),
  },
  {
    name: "a request from before the block of a company can be approved",
    plant: { file: api("controls/decide-request.ts"), step: "requireMayPay" },
    caughtBy: test("controls/blocked-company", "is not refunded by the approval"),
  },
  {
    name: "a waiting batch of a blocked company is released when money arrives",
    plant: { file: api("payouts/batches/release.ts"), step: "blocked" },
    caughtBy: test("controls/blocked-company", "BAT-031 a batch whose money arrives keeps waiting"),
  },
  {
    name: "a scheduled payment of a blocked company is sent on its day",
    plant: { statements: /NOT c\.blocked/, becomes: "true" },
    caughtBy: test(
      "controls/blocked-company",
      "a scheduled payment is not sent on its day, but after the block",
    ),
  },
  {
    name: "a withdrawal is not checked against limits",
    plant: { file: api("statement/withdraw.ts"), step: "consumeLimits" },
    caughtBy: test("limits/limits", "COM-035 COM-036 STM-029 binds a withdrawal by the limit of one payment"),
  },
  {
    name: "a withdrawal can exceed the balance",
    plant: { file: api("statement/withdraw.ts"), step: "isPosted" },
    caughtBy: test("statement/withdraw", "never withdraws more than the balance in many concurrent requests"),
  },
  {
    name: "an approved withdrawal is sent to an account that was set later",
    plant: { file: api("statement/withdraw.ts"), step: "seen" },
    caughtBy: test(
      "controls/withdrawals",
      "is not sent to another account than the approved one, nor above the balance",
    ),
  },
  {
    name: "a reused idempotency key returns the first answer to another request",
    plant: { file: api("platform/http/idempotency.ts"), step: "idempotency_key_reused" },
    caughtBy: test("payouts/batches/close", "BAT-057 repeats its answer to the same request byte for byte"),
  },
  {
    name: "an analyst may make calls that are reserved for admins",
    plant: { file: "packages/contracts/src/policy.ts", step: "profiles" },
    caughtBy: test("settings/settings", "refuses every caller but an admin"),
  },
  {
    name: "formulas are written into a CSV file unchanged",
    plant: { file: "packages/sheet-reader/src/formula-guard.ts", step: "startsFormula" },
    caughtBy: test("payouts/import/sheet/sheet-files", "makes formulas harmless in CSV"),
  },
  {
    name: "a workbook may inflate without a maximum ratio",
    plant: { file: "packages/sheet-reader/src/read-zip.ts", step: "inflateRatioMax" },
    caughtBy: {
      file: "packages/sheet-reader/src/hostile-sheets.test.ts",
      test: "refuses a bomb in the strings",
    },
  },
  {
    name: "a correction can send more than was reserved",
    plant: { file: api("payouts/corrections/transfers.ts"), step: "transfer_value_fixed" },
    caughtBy: test(
      "payouts/transfers/correct-and-refund",
      "TRF-033 TRF-045 refuses a correction by an analyst",
    ),
  },
];
