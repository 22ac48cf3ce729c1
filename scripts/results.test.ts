import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { playwrightResults, sumUp, vitestResults } from "./steps/results.mjs";

const folder = mkdtempSync(join(tmpdir(), "malote-results-"));
afterAll(() => rmSync(folder, { recursive: true }));

function reportOf(contents: unknown): string {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(contents));
  return file;
}

it("counts a missing report as a failure, not as nothing to count", () => {
  expect(vitestResults(join(folder, "none.json"))).toMatchObject([{ passed: false }]);
  expect(playwrightResults(join(folder, "none.json"))).toMatchObject([{ passed: false }]);
});

it("counts a test file that did not load", () => {
  const file = { name: "a.test.ts", status: "failed", message: "no such module", assertionResults: [] };
  expect(vitestResults(reportOf({ testResults: [file] }))).toMatchObject([
    { file: "a.test.ts", passed: false },
  ]);
});

it("counts passed and failed tests of vitest", () => {
  const assertionResults = [
    { title: "BAT-001 lists", status: "passed", failureMessages: [] },
    { title: "BAT-002 sorts", status: "failed", failureMessages: ["expected 2 to be 1"] },
  ];
  const results = vitestResults(
    reportOf({ testResults: [{ name: "a.test.ts", status: "failed", message: "", assertionResults }] }),
  );
  expect(results).toEqual([
    { title: "BAT-001 lists", file: "a.test.ts", passed: true },
    { title: "BAT-002 sorts", file: "a.test.ts", passed: false, reason: "expected 2 to be 1" },
  ]);
});

it("finds journeys at any depth of groups, and errors outside of any", () => {
  const passing = [{ results: [{ status: "passed" }] }];
  const failing = [{ results: [{ status: "failed", error: { message: "no such button" } }] }];
  const suites = [
    {
      specs: [{ title: "pays", file: "pay.spec.ts", ok: true, tests: passing }],
      suites: [{ specs: [{ title: "refunds", file: "pay.spec.ts", ok: false, tests: failing }] }],
    },
  ];
  expect(playwrightResults(reportOf({ suites, errors: [{ message: "no browser" }] }))).toEqual([
    { title: "pays", file: "pay.spec.ts", passed: true },
    { title: "refunds", file: "pay.spec.ts", passed: false, reason: "no such button" },
    { title: "did not run: no browser", file: "e2e", passed: false },
  ]);
});

it("lists the failures, and counts a runner that fails although every test passed", () => {
  const lines: string[] = [];
  const print = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  const passed = { title: "is paid", file: "a.test.ts", passed: true };
  expect(sumUp([passed, { ...passed, passed: false, reason: "no money" }], [{ code: 1 }])).toBe(1);
  expect(sumUp([passed], [{ code: 1 }, { code: 0 }])).toBe(1);
  expect(sumUp([passed], [{ code: 0 }])).toBe(0);
  print.mockRestore();
  expect(lines.filter((line) => line.endsWith("failed"))).toEqual([
    "1 passed, 1 failed",
    "1 passed, 1 failed",
    "1 passed, 0 failed",
  ]);
});
