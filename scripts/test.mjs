/**
 * `npm test`: runs everything that tests the product, from a fresh clone, and prints one line in all. The proofs of the
 * quality goals have a command of their own: `npm run prove -- --short`.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureChromium } from "./steps/chromium.mjs";
import { ensureInstalled, projectNode, tool } from "./steps/install.mjs";
import { playwrightResults, sumUp, vitestResults } from "./steps/results.mjs";
import { temporaryFolder } from "./steps/temporary.mjs";
import { root, run, script, seconds } from "./steps/terminal.mjs";

const reports = join(root, ".test");
const vitestReport = join(reports, "vitest.json");
const playwrightReport = join(reports, "playwright.json");

/** Hundreds of processes and threads load the same modules, so their compiled code is cached. */
const compiledOnce = { NODE_COMPILE_CACHE: join(reports, "compiled") };

await script(async () => {
  const since = performance.now();
  await ensureInstalled();
  await ensureChromium();
  await ensureBuilt();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports);
  const env = { ...compiledOnce, ...temporaryFolder() };

  const unit = await run(
    projectNode(),
    [
      ...[tool("vitest"), "run", "--project=!proofs", "--reporter=default", "--reporter=json"],
      `--outputFile.json=${vitestReport}`,
    ],
    { env },
  );
  const journeys = await run(projectNode(), [tool("playwright"), "test"], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  });

  const results = [...vitestResults(vitestReport), ...playwrightResults(playwrightReport)].map((result) => ({
    ...result,
    file: relative(root, join(root, result.file.replace(root, ""))),
  }));
  writeFileSync(join(reports, "results.json"), `${JSON.stringify(results, null, 1)}\n`);

  console.log(`Everything ran in ${seconds(since)}.`);
  if (sumUp(results, [unit, journeys]) > 0) process.exitCode = 1;
});
