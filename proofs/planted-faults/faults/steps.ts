import type { Fault } from "../fault.ts";

const api = (path: string) => `apps/api/src/${path}`;
const test = (path: string, title: string) => ({ file: api(`${path}.test.ts`), test: title });

/** Faults of actions that omit a check, a refusal or a step. */
export const stepFaults: Fault[] = [
  {
    name: "a batch is closed whatever the checks before paying found",
    plant: { file: api("payouts/batches/close.ts"), step: "requireChecksConfirmed" },
    caughtBy: test(
      "payouts/checks/checks",
      "closes, approves and forwards nothing with a confirmation missing",
    ),
  },
  {
    name: "a company that is blocked pays",
    plant: { file: api("payouts/batches/close.ts"), step: "company_blocked" },
    caughtBy: test("payouts/batches/changed-rules", "pays nothing for a blocked company"),
  },
  {
    name: "received money of a blocked company is given back",
    plant: { file: api("controls/requests.ts"), step: "requireMayPay" },
    caughtBy: test("controls/blocked-company", "is not refunded"),
  },
  {
    name: "a request of before a company was blocked lets its money out",
    plant: { file: api("controls/decide-request.ts"), step: "requireMayPay" },
    caughtBy: test("controls/blocked-company", "is not refunded by the approval"),
  },
  {
    name: "a waiting batch of a blocked company is paid when its money comes",
    plant: { file: api("payouts/batches/release.ts"), step: "blocked" },
    caughtBy: test("controls/blocked-company", "BAT-031 a batch whose money comes goes on waiting"),
  },
  {
    name: "a scheduled payment of a blocked company leaves on its day",
    plant: { statements: /NOT c\.blocked/, becomes: "true" },
    caughtBy: test("controls/blocked-company", "a scheduled payment stays on its day"),
  },
  {
    name: "a withdrawal asks no limit",
    plant: { file: api("statement/withdraw.ts"), step: "consumeLimits" },
    caughtBy: test("limits/limits", "COM-035 COM-036 STM-029 binds a withdrawal by the limit of one payment"),
  },
  {
    name: "a withdrawal leaves without the money for it",
    plant: { file: api("statement/withdraw.ts"), step: "isPosted" },
    caughtBy: test("statement/withdraw", "never gives more than there is"),
  },
  {
    name: "money is withdrawn to another account than was approved",
    plant: { file: api("statement/withdraw.ts"), step: "seen" },
    caughtBy: test("controls/withdrawals", "is not carried out to another account than was approved"),
  },
  {
    name: "a key used again for another request gets the first one's answer",
    plant: { file: api("platform/http/idempotency.ts"), step: "idempotency_key_reused" },
    caughtBy: test("payouts/batches/close", "BAT-057 answers the same request again byte for byte"),
  },
  {
    name: "an analyst may do what a policy keeps for an admin",
    plant: { file: "packages/contracts/src/policy.ts", step: "profiles" },
    caughtBy: test("settings/settings", "refuses every caller but an admin"),
  },
  {
    name: "formulas go into a CSV file as they are",
    plant: { file: "packages/sheet-reader/src/formula-guard.ts", step: "startsFormula" },
    caughtBy: test("payouts/import/sheet/sheet-files", "makes formulas harmless in CSV"),
  },
  {
    name: "a workbook may inflate to any number of times its size",
    plant: { file: "packages/sheet-reader/src/read-zip.ts", step: "inflateRatioMax" },
    caughtBy: {
      file: "packages/sheet-reader/src/hostile-sheets.test.ts",
      test: "refuses a bomb in the strings",
    },
  },
  {
    name: "a correction may send more than was reserved",
    plant: { file: api("payouts/corrections/transfers.ts"), step: "transfer_value_fixed" },
    caughtBy: test(
      "payouts/transfers/correct-and-refund",
      "TRF-033 TRF-045 refuses a correction by an analyst",
    ),
  },
];
