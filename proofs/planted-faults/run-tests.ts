/** Runs tests of a copy and says how each ended. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { Connection } from "@malote/local-postgres/start-postgres";
import type { Catcher } from "./fault.ts";

export interface Ended {
  file: string;
  title: string;
  passed: boolean;
}

/** A fault may make a test wait for what never comes; long before this its own limit ends it. */
const limitMs = 300_000;

interface Report {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
}

export async function runTests(
  root: string,
  server: Connection,
  catchers: readonly Catcher[],
  { stopsAtFirst = false } = {},
): Promise<{ ended: Ended[]; said: string }> {
  const reportAt = join(root, "report.json");
  rmSync(reportAt, { force: true });
  const files = [...new Set(catchers.map((catcher) => catcher.file))];
  const titles = [...new Set(catchers.map((catcher) => inPattern(catcher.test)))];
  const said = await vitest(root, server, [
    ...files,
    `--testNamePattern=(${titles.join("|")})`,
    ...(stopsAtFirst ? ["--bail=1"] : []),
    ...["--reporter=json", `--outputFile=${reportAt}`],
  ]);
  if (!existsSync(reportAt)) return { ended: [], said };
  const { testResults } = JSON.parse(readFileSync(reportAt, "utf8")) as Report;
  const ended = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed" || status === "failed")
      .map(({ title, status }) => ({ file: relative(root, name), title, passed: status === "passed" })),
  );
  return { ended, said };
}

const inPattern = (title: string) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Those of the tests that the catcher means. */
export const matching = (ended: readonly Ended[], { file, test }: Catcher): Ended[] =>
  ended.filter((one) => one.file === file && one.title.startsWith(test));

function vitest(root: string, server: Connection, options: readonly string[]): Promise<string> {
  // The tests that run this proof learn about themselves by the environment, and the copy's must not be.
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|MALOTE_|NODE_ENV$|TEST$)/.test(name));
  const child = spawn(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--config=proofs/planted-faults/copy-config.ts",
      ...options,
    ],
    {
      cwd: root,
      env: { ...Object.fromEntries(own), MALOTE_FAULTS_SERVER: JSON.stringify(server) },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limitMs,
    },
  );
  let said = "";
  const keep = (piece: Buffer) => {
    said = (said + piece.toString()).slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(said));
  });
}
