/** `npm test`: everything that proves the product, from a fresh clone, with one line at the end that sums it up. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureChromium } from "./steps/chromium.mjs";
import { ensureInstalled, projectNode, tool } from "./steps/install.mjs";
import { playwrightResults, vitestResults } from "./steps/results.mjs";
import { temporaryFolder } from "./steps/temporary.mjs";
import { root, run, script, seconds } from "./steps/terminal.mjs";

const reports = join(root, ".test");
const vitestReport = join(reports, "vitest.json");
const playwrightReport = join(reports, "playwright.json");

/** Hundreds of processes and threads load the same modules. */
const compiledOnce = { NODE_COMPILE_CACHE: join(reports, "compiled") };

/** Enough to distinguish a broken promise from a slow machine where only the end of the output is kept. */
const firstLinesOf = (reason) =>
  stripVTControlCharacters(reason)
    .split("\n")
    .slice(0, 8)
    .map((line) => `  ${line}`)
    .join("\n");

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
      ...[tool("vitest"), "run", "--reporter=default", "--reporter=json"],
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

  const failed = results.filter((result) => !result.passed);
  for (const { file, title, reason } of failed) {
    console.log(`FAILED ${file}: ${title}`);
    if (reason) console.log(firstLinesOf(reason));
  }
  // A runner that ends badly although every test passed, such as on an unhandled error, is a failure too.
  const badEnds = failed.length === 0 ? [unit, journeys].filter(({ code }) => code !== 0).length : 0;
  console.log(`Everything ran in ${seconds(since)}.`);
  console.log(`${results.length - failed.length} passed, ${failed.length + badEnds} failed`);
  if (failed.length + badEnds > 0) process.exitCode = 1;
});
