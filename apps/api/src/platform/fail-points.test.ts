import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { readConfig, WrongConfiguration } from "./config.ts";
import { armFailPoint, failPoints, reachFailPoint, readFailPoint } from "./fail-points.ts";

const source = fileURLToPath(new URL("..", import.meta.url));

afterEach(() => armFailPoint(undefined));

function problemsOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof WrongConfiguration) return error.problems;
    throw error;
  }
}

it("refuses a fail point in production, and an unknown one everywhere", () => {
  const production = {
    MALOTE_ENV: "production",
    MALOTE_SECRET: "s".repeat(32),
    SMTP_URL: "smtp://localhost",
  };
  expect(problemsOf({ ...production, MALOTE_FAIL_POINT: "after-commit" })).toContain(
    "MALOTE_FAIL_POINT serve apenas aos testes e não existe em produção",
  );
  for (const wrong of ["after-lunch", "after-commit:0", "after-commit:x", "after-commit:1:2", ":1"]) {
    expect(problemsOf({ MALOTE_FAIL_POINT: wrong }), wrong).toEqual([
      `MALOTE_FAIL_POINT não conhece "${wrong}"`,
    ]);
  }
  expect(readConfig({}).failPoint).toBeUndefined();
  expect(readConfig({ MALOTE_FAIL_POINT: "after-commit:3" }).failPoint).toEqual(
    readFailPoint("after-commit:3"),
  );
});

it("exits at the named pass of the named place, and at no other", () => {
  let deaths = 0;
  armFailPoint({ point: "before-commit", hit: 3 }, () => deaths++);
  for (const point of failPoints) reachFailPoint(point);
  reachFailPoint("before-commit");
  expect(deaths).toBe(0);
  reachFailPoint("before-commit");
  expect(deaths).toBe(1);
  reachFailPoint("before-commit");
  expect(deaths).toBe(1);
  armFailPoint(undefined, () => deaths++);
  for (const point of failPoints) reachFailPoint(point);
  expect(deaths).toBe(1);
});

it("exits immediately: the next line is never reached", () => {
  const file = new URL("./fail-points.ts", import.meta.url).href;
  const script = `
    const points = await import(${JSON.stringify(file)});
    points.armFailPoint({ point: "after-commit", hit: 1 });
    process.stdout.write("before ");
    points.reachFailPoint("after-commit");
    process.stdout.write("after");`;
  const { signal, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  expect(signal).toBe("SIGKILL");
  expect(stdout).toBe("before ");
});

it("finds every listed place in the product", () => {
  const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("fail-points"))
    .map((name) => readFileSync(join(source, name), "utf8"));
  const passed = texts.flatMap((text) =>
    [...text.matchAll(/\breachFailPoint\("([^"]+)"\)/g)].map((found) => found[1]),
  );
  expect(new Set(passed)).toEqual(new Set(failPoints));
});
