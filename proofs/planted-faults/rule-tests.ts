/**
 * The tests of the pure rules as one script, so that a mutant costs milliseconds: rules and tests are bundled once, and
 * the script runs again for each mutant with a few characters changed.
 */
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { build } from "vite";
import { expect } from "vitest";
import type { Mutant } from "./mutants.ts";

const source = join(import.meta.dirname, "../../packages/domain/src");

/** Imports of the tests other than the rules, by their names in the script. */
const given = {
  vitest: "rulesAndTests.vitest",
  "fast-check": "rulesAndTests.fastCheck",
  "date-holidays": "rulesAndTests.dateHolidays",
};

const mark = (place: "begin" | "end", file: string) => `rulesAndTests.${place}("${file}");`;

interface Test {
  title: string;
  run: () => unknown;
}

export interface RuleTests {
  code: string;
  /** Returns the position of a file's rules in the code. */
  placeOf(file: string): { from: number; until: number };
  /** Returns the title of the first failing test, or the reason why none could run; undefined when all pass. */
  failing(mutant?: Mutant): string | undefined;
}

/** A rule that never ends counts as noticed, because no caller waits that long. */
const limitMs = 4_000;

export async function ruleTests(files: readonly string[]): Promise<RuleTests> {
  const code = await bundle(files);
  const [fastCheck, dateHolidays] = await Promise.all([import("fast-check"), import("date-holidays")]);
  // The same values for every mutant, without shrinking: only the failure itself matters.
  fastCheck.default.configureGlobal({ seed: 7, endOnFailure: true });
  let tests: Test[] = [];
  const outside = {
    begin() {},
    end() {},
    vitest: collecting((test) => tests.push(test)),
    fastCheck,
    dateHolidays: dateHolidays.default,
  };
  const collect = (script: Script) => {
    tests = [];
    script.runInThisContext({ timeout: limitMs });
    return tests;
  };
  const globals = globalThis as unknown as Record<string, unknown>;
  return {
    code,
    placeOf(file) {
      const [from, until] = [code.indexOf(mark("begin", file)), code.indexOf(mark("end", file))];
      if (from < 0 || until < 0) throw new Error(`${file} is no part of what the tests import`);
      return { from: from + mark("begin", file).length, until };
    },
    failing(mutant) {
      globals["rulesAndTests"] = outside;
      const text = mutant ? code.slice(0, mutant.start) + mutant.becomes + code.slice(mutant.end) : code;
      // A change that gives no valid script is not a mutant, and fails the proof.
      const script = new Script(text);
      try {
        for (const test of collect(script)) {
          globals["runTest"] = test.run;
          try {
            new Script("runTest()").runInThisContext({ timeout: limitMs });
          } catch {
            return test.title;
          }
        }
        return undefined;
      } catch (error) {
        return `loading: ${(error as Error).message}`;
      }
    },
  };
}

async function bundle(files: readonly string[]): Promise<string> {
  const root = join(source, "../../..");
  const entry = join(root, "every-test");
  const result = await build({
    configFile: false,
    logLevel: "error",
    root,
    plugins: [
      {
        name: "every-test",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) =>
          id === entry
            ? files.map((file) => `import ${JSON.stringify(join(source, file))};`).join("\n")
            : undefined,
        // The bundler's own marks are comments, and some are lost.
        transform: (code, id) =>
          dirname(id) === source && !id.endsWith(".test.ts")
            ? `${mark("begin", basename(id))}\n${code}\n${mark("end", basename(id))}`
            : undefined,
      },
    ],
    build: {
      write: false,
      minify: false,
      target: "esnext",
      lib: { entry, formats: ["iife"], name: "none" },
      rolldownOptions: {
        external: Object.keys(given),
        treeshake: false,
        optimization: { inlineConst: false },
        output: { globals: given, minify: false },
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !("output" in output)) throw new Error("the tests could not be bundled");
  return output.output[0].code;
}

/**
 * Implements the part of vitest that the rule tests need. It skips tests about speed, which prove nothing about a rule.
 */
function collecting(add: (test: Test) => void) {
  let skips = false;
  const it = (title: string, run: () => unknown) => {
    if (!skips) add({ title, run });
  };
  it.each = (rows: readonly unknown[]) => (title: string, run: (...row: unknown[]) => unknown) => {
    for (const row of rows) it(title, () => run(...(Array.isArray(row) ? row : [row])));
  };
  const describe = (title: string, body: () => void) => {
    skips = title === "speed";
    body();
    skips = false;
  };
  return { it, describe, expect };
}
