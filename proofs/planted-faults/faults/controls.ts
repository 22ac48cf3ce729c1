import type { Fault } from "../fault.ts";

const controls = (subject: string, title: string) => ({
  file: `apps/api/src/controls/${subject}.test.ts`,
  test: title,
});

/** Of who must say yes, what a person has to look at first, and how much may leave. */
export const controlFaults: Fault[] = [
  {
    name: "whoever made a batch approves it",
    file: "packages/domain/src/controls.ts",
    right:
      'if (preparers.includes(approver.id) && (isNamed || need.approvers > 0)) return "approver_is_creator";',
    wrong: "",
    caughtBy: controls("batches", "refuses whoever edited, a stale content, and the same person twice"),
  },
  {
    name: "an admin of an hour approves",
    file: "packages/domain/src/controls.ts",
    right: "if (need.approvers > 0 && knownSince && now < approvesFrom(knownSince, policy))",
    wrong: "if (need.approvers > 99 && knownSince && now < approvesFrom(knownSince, policy))",
    caughtBy: controls("batches", "an admin who was let in an hour ago approves nothing for a day"),
  },
  {
    name: "an amount split over a day needs fewer people",
    file: "packages/domain/src/controls.ts",
    right: "          figures.byPreparer,\n",
    wrong: "",
    caughtBy: controls("bands", "splitting does not help"),
  },
  {
    name: "money is withdrawn to somebody else's account",
    file: "apps/api/src/statement/withdraw.ts",
    right: "isOwnAccount: account?.cpfCnpj === company.taxId,",
    wrong: "isOwnAccount: true,",
    caughtBy: controls("withdrawal-account", "takes no money when it was somebody else's"),
  },
  {
    name: "money is withdrawn to another account than was approved",
    file: "apps/api/src/statement/withdraw.ts",
    right: "if (JSON.stringify(account) !== JSON.stringify(seen))",
    wrong: "if (account === undefined && seen)",
    caughtBy: controls("withdrawals", "is not carried out to another account than was approved"),
  },
  {
    name: "a withdrawal passes every limit",
    file: "apps/api/src/statement/withdraw.ts",
    right:
      "  await takeLimits(tx, { type: method, value, at: executeAt, now }, (await readCompany(tx)).settings);\n",
    wrong: "",
    caughtBy: {
      file: "apps/api/src/limits/limits.test.ts",
      test: "COM-035 COM-036 a withdrawal is bound by the limit of one payment",
    },
  },
  {
    name: "a batch is closed whatever the checks before paying found",
    file: "apps/api/src/payouts/batches/close.ts",
    right: "  await requireTicks(tx, call, batch);\n",
    wrong: "",
    caughtBy: {
      file: "apps/api/src/payouts/checks/checks.test.ts",
      test: "closes, approves and sends on nothing with a tick missing",
    },
  },
];
