/**
 * The step of `npm run check` that needs the project's own Node: prints the problems, and finally how much was read.
 */
import { faults } from "../../../proofs/planted-faults/faults.ts";
import { root, script } from "../terminal.mjs";
import { checkStatements } from "./check-statements.mjs";

/** Minimum number of statements: a check that reads nothing would find nothing. */
const askedMin = 625;

await script(async () => {
  const { problems, summary, asked } = await checkStatements(
    { root, config: "apps/api/tsconfig.json" },
    { root, config: "tsconfig.json", isRead: (file) => /\/(bench|proofs)\//.test(file) },
    faults,
  );
  if (asked < askedMin) problems.push(`only ${asked} statements were found, fewer than ${askedMin}`);
  for (const problem of problems) console.log(problem);
  console.log(summary);
  if (problems.length > 0) process.exitCode = 1;
});
