/** Runs tests with a fault planted and returns the result of each. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { inject } from "vitest";
import { copyOfTheRepository } from "./copy.ts";
import type { Catcher, Plant } from "./fault.ts";
import { withoutStep } from "./mutants.ts";
import type { PlantedServer } from "./planted-server.ts";

export interface Ended {
  file: string;
  title: string;
  passed: boolean;
}

export interface TestRun {
  ended: Ended[];
  /** The end of the runner's output, for runs without a test result. */
  output: string;
  /** False when the fault is about statements, and none of them was sent. */
  wasMet: boolean;
}

/** A fault may make a test wait forever; the test's own limit ends it long before this. */
const limitMs = 300_000;

const repository = join(import.meta.dirname, "../..");
const rewriting = pathToFileURL(join(import.meta.dirname, "rewrite-statements.ts")).href;

interface Report {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
}

export async function runTests(
  catchers: readonly Catcher[],
  { plant, stopsAtFirst = false }: { plant?: Plant; stopsAtFirst?: boolean } = {},
): Promise<TestRun> {
  using copy = plant && "step" in plant ? copyOfTheRepository() : undefined;
  if (copy && plant && "step" in plant) {
    const code = readFileSync(join(repository, plant.file), "utf8");
    writeFileSync(join(copy.root, plant.file), withoutStep(code, plant.step));
  }
  const root = copy?.root ?? repository;
  const folder = mkdtempSync(join(tmpdir(), "malote-planted-"));
  const [reportAt, metAt] = [join(folder, "report.json"), join(folder, "met")];
  const files = [...new Set(catchers.map((catcher) => catcher.file))];
  const titles = [...new Set(catchers.map((catcher) => inPattern(catcher.test)))];
  const server: PlantedServer = {
    ...inject("testServer"),
    ...(plant && "sql" in plant && { sql: plant.sql }),
  };
  try {
    const output = await vitest(
      root,
      {
        MALOTE_PLANTED_SERVER: JSON.stringify(server),
        ...(plant && "statements" in plant && rewritingBy(plant.statements, plant.becomes, metAt)),
      },
      [
        ...files,
        `--testNamePattern=(${titles.join("|")})`,
        ...(stopsAtFirst ? ["--bail=1"] : []),
        ...["--reporter=json", `--outputFile=${reportAt}`],
      ],
    );
    const wasMet = !plant || !("statements" in plant) || existsSync(metAt);
    if (!existsSync(reportAt)) return { ended: [], output, wasMet };
    const { testResults } = JSON.parse(readFileSync(reportAt, "utf8")) as Report;
    const ended = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "passed" || status === "failed")
        .map(({ title, status }) => ({ file: relative(root, name), title, passed: status === "passed" })),
    );
    return { ended, output, wasMet };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const rewritingBy = ({ source }: RegExp, becomes: string, metAt: string) => ({
  NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --import=${rewriting}`,
  MALOTE_PLANTED_STATEMENTS: JSON.stringify({ pattern: source, becomes, metAt }),
});

const inPattern = (title: string) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Returns the tests that the catcher names. */
export const matching = (ended: readonly Ended[], { file, test }: Catcher): Ended[] =>
  ended.filter((one) => one.file === file && one.title.startsWith(test));

function vitest(root: string, given: Record<string, string>, options: readonly string[]): Promise<string> {
  // The environment marks the tests that run this proof, and the planted run must not inherit that.
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|MALOTE_|NODE_ENV$|TEST$)/.test(name));
  const child = spawn(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--config=proofs/planted-faults/planted-config.ts",
      ...options,
    ],
    {
      cwd: root,
      env: { ...Object.fromEntries(own), ...given },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limitMs,
    },
  );
  let output = "";
  const keep = (piece: Buffer) => {
    output = (output + piece.toString()).slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
}
