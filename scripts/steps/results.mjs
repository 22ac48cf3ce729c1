/** Reads what the test runners report, and adds it up. A file that did not even load counts as one failure. */
import { readFileSync } from "node:fs";

/** @typedef {{ title: string, file: string, passed: boolean, reason?: string }} Result */

/** @returns {Result[]} */
export function vitestResults(reportFile) {
  const report = readReport(reportFile, "vitest");
  if (!report.testResults) return report;
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const results = assertionResults
      .filter((test) => test.status === "passed" || test.status === "failed")
      .map(({ title, status: how, failureMessages }) => ({
        title,
        file: name,
        passed: how === "passed",
        reason: failureMessages[0],
      }));
    const brokeOutside = status === "failed" && results.every((result) => result.passed);
    return brokeOutside
      ? [...results, { title: `did not run: ${message}`, file: name, passed: false }]
      : results;
  });
}

/** @returns {Result[]} */
export function playwrightResults(reportFile) {
  const report = readReport(reportFile, "playwright");
  if (!report.suites) return report;
  const broken = report.errors.map((error) => ({
    title: `did not run: ${error.message}`,
    file: "e2e",
    passed: false,
  }));
  return [
    ...report.suites.flatMap(specsOf).map(({ title, file, ok, tests }) => ({
      title,
      file,
      passed: ok,
      reason: tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message,
    })),
    ...broken,
  ];
}

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];

function readReport(file, runner) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return [{ title: `${runner} ended without a report`, file: runner, passed: false }];
  }
}
