/** Reads the reports of the test runners and sums them up. A file that did not load counts as one failure. */
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

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

/**
 * Length of the excerpt: enough to distinguish a failed assertion from a slow machine when only the end of the output
 * is stored.
 */
const firstLinesOf = (reason) =>
  stripVTControlCharacters(reason)
    .split("\n")
    .slice(0, 8)
    .map((line) => `  ${line}`)
    .join("\n");

/**
 * Prints the failures and the line that CI reads. A runner that ends with an error although every test passed, for
 * example after an unhandled error, counts as a failure.
 * @param {Result[]} results
 * @param {{ code: number }[]} runners
 * @returns {number} number of failures
 */
export function sumUp(results, runners) {
  const failed = results.filter((result) => !result.passed);
  for (const { file, title, reason } of failed) {
    console.log(`FAILED ${file}: ${title}`);
    if (reason) console.log(firstLinesOf(reason));
  }
  const badEnds = failed.length === 0 ? runners.filter(({ code }) => code !== 0).length : 0;
  console.log(`${results.length - failed.length} passed, ${failed.length + badEnds} failed`);
  return failed.length + badEnds;
}
