/**
 * `npm run prove -- [goal …] [--short | --full] [--seed N] [--count N]`: runs the proofs of the quality goals at a size
 * that takes minutes, with --short at one that takes seconds each, as CI does, or with --full at the counts of
 * docs/goals.md, which can take hours. Prints one line per proof, or with --short one line in all, and exits with 1
 * when a proof fails.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureChromium } from "./steps/chromium.mjs";
import { ensureInstalled, projectNode, tool } from "./steps/install.mjs";
import { sumUp, vitestResults } from "./steps/results.mjs";
import { temporaryFolder } from "./steps/temporary.mjs";
import { Problem, root, run, script } from "./steps/terminal.mjs";

const history = join(root, "proofs/history/proofs.jsonl");

await script(async () => {
  const { values, positionals } = parseArgs({
    options: {
      short: { type: "boolean", default: false },
      full: { type: "boolean", default: false },
      seed: { type: "string", default: "7" },
      count: { type: "string" },
    },
    allowPositionals: true,
  });
  if (!/^\d+$/.test(values.seed)) throw new Problem("--seed takes a whole number.");
  if (values.count && !/^[1-9]\d*$/.test(values.count)) throw new Problem("--count takes a whole number.");
  if (values.count && positionals.length === 0) throw new Problem("--count is for the goals that are named.");
  if (values.short && (values.full || values.count)) throw new Problem("--short has a count of its own.");
  const wrong = positionals.find((goal) => !/^[RS]\d+$/i.test(goal));
  if (wrong) throw new Problem(`${wrong} is not the name of a goal, such as R7 or S1.`);
  await ensureInstalled();
  await ensureChromium();
  await ensureBuilt();

  const vitest = [tool("vitest"), "run", "--project=proofs"];
  const chosen = positionals.map((goal) => `/${goal.toLowerCase()}-`);
  if (values.short) {
    const report = join(root, ".test/proofs.json");
    mkdirSync(join(root, ".test"), { recursive: true });
    rmSync(report, { force: true });
    const runner = await run(
      projectNode(),
      [...vitest, ...chosen, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
      { env: { ...temporaryFolder(), MALOTE_SEED: values.seed } },
    );
    if (sumUp(vitestResults(report), [runner]) > 0) process.exitCode = 1;
    return;
  }
  const before = lines().length;
  const { code } = await run(
    projectNode(),
    [...vitest, "--no-file-parallelism", "--reporter=dot", ...chosen],
    {
      env: {
        MALOTE_PROOF: values.full ? "full" : "reduced",
        MALOTE_SEED: values.seed,
        ...(values.count && { MALOTE_PROOF_COUNT: values.count }),
      },
    },
  );
  for (const line of lines().slice(before)) console.log(sentence(JSON.parse(line)));
  process.exitCode = code;
});

function lines() {
  return existsSync(history) ? readFileSync(history, "utf8").split("\n").filter(Boolean) : [];
}

function sentence({ goal, held, promise, count, unit, seed, seconds, planted, caught, figures }) {
  const reached = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  const planting = planted === undefined ? [] : [`${caught} of ${planted} planted faults caught`];
  return `${held ? "held  " : "BROKEN"} ${goal.padEnd(4)} ${promise}: ${[`${count} ${unit}`, ...reached, ...planting].join(", ")} (seed ${seed}, ${seconds} s)`;
}
