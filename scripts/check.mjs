/** `npm run check`: runs every check of the code that does not run the product. */
import { join } from "node:path";
import { build } from "./steps/build.mjs";
import { faultsOfLastCommit } from "./steps/commit-message.mjs";
import { wrongSizes } from "./steps/file-sizes.mjs";
import { brokenImportRules } from "./steps/import-rules.mjs";
import { ensureInstalled, projectNode, tool } from "./steps/install.mjs";
import { deadLinks, wideLines } from "./steps/page-links.mjs";
import { promisesNamedOf } from "./steps/promise-names.mjs";
import { checkSizes } from "./steps/size-budget.mjs";
import { sourcePaths } from "./steps/source-paths.mjs";
import { temporaryFolder } from "./steps/temporary.mjs";
import { root, run, script, seconds } from "./steps/terminal.mjs";
import { refusedWords } from "./steps/words.mjs";

const projects = [
  ...["packages/domain", "packages/contracts"],
  ...["packages/sheet-reader", "packages/local-postgres", "apps/api", "apps/web", "scripts", "."],
];

await script(async () => {
  await ensureInstalled();
  await step("format and lint", () => installed("biome", "check", "--error-on-warnings"));
  await step("import rules", async () => verdict(await brokenImportRules(root)));
  await step("words", async () => verdict(await refusedWords(root)));
  await step("names of promises", async () => verdict(await promisesNamedOf(root)));
  await step("file sizes", async () => verdict(wrongSizes(root, sourcePaths(root))));
  await step("links of pages", async () => verdict(deadLinks(root)));
  await step("width of pages", async () => verdict(wideLines(root)));
  await step("last commit's message", async () => verdict(await faultsOfLastCommit(root)));
  await step("types", types);
  await step("SQL", statements);
  await step("dead code", () => installed("knip", "--treat-config-hints-as-errors"));
  const built = await step("build", build);
  if (built) await step("size budget", sizes);
});

/** Runs one step and prints its line; a failure does not stop the other steps. */
async function step(name, body) {
  const since = performance.now();
  const { code, output, summary } = await body();
  const passed = code === 0;
  console.log(`${passed ? "ok    " : "FAILED"} ${name} (${seconds(since)})${summary ? `: ${summary}` : ""}`);
  if (!passed) {
    console.log(output.trim());
    process.exitCode = 1;
  }
  return passed;
}

function installed(name, ...args) {
  return run(projectNode(), [tool(name), ...args], { quiet: true });
}

async function types() {
  let code = 0;
  let output = "";
  for (const project of projects) {
    const result = await installed("tsc", "--noEmit", "-p", join(root, project));
    code ||= result.code;
    output += result.output;
  }
  return { code, output };
}

/** The project's own Node runs it, which reads the migrations' TypeScript. */
async function statements() {
  const program = join(root, "scripts/steps/sql/main.mjs");
  const { code, output } = await run(projectNode(), [program], { quiet: true, env: temporaryFolder() });
  return { code, output, summary: output.trim().split("\n").at(-1) };
}

function sizes() {
  const { problems, summary } = checkSizes(join(root, "apps/web/dist"));
  return { ...verdict(problems), summary };
}

function verdict(lines) {
  return { code: lines.length === 0 ? 0 : 1, output: lines.join("\n") };
}
