/** The planted faults are where they say, are planted once, and are listed on the page about the proofs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faults } from "./faults.ts";
import { listOf } from "./list-of-faults.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");

it.each(faults.map((fault) => [fault.name, fault] as const))("can plant: %s", (_, { file, right, wrong }) => {
  expect(read(file).split(right).length - 1, `how often it occurs in ${file}`).toBe(1);
  expect(wrong).not.toBe(right);
});

/** Titles that a table or the name of a proof makes. */
const generated: ReadonlySet<string> = new Set([
  "refuses INSERT INTO ledger_entries",
  "shows nothing of another company in ledger_entries",
  "BAT-064 an approval does not hold for other content: two values",
  "BAT-054 admin with 10000 centavos",
  "R4 ",
  "S3 ",
  "refuses a bomb in the strings",
  "STM-027 operator, withdrawing closed to operators: true",
]);

it("names tests that there are", () => {
  const lost = faults.filter(
    ({ caughtBy: { file, test } }) => !generated.has(test) && !read(file).includes(test),
  );
  expect(lost.map(({ caughtBy }) => `${caughtBy.file}: ${caughtBy.test}`)).toEqual([]);
});

it("has forty faults or more, each with a name of its own", () => {
  expect(faults.length).toBeGreaterThanOrEqual(40);
  expect(new Set(faults.map((fault) => fault.name)).size).toBe(faults.length);
});

it("lists each of them in docs/proofs.md, as `listOf(faults)` writes it", () => {
  expect(read("docs/proofs.md")).toContain(`\n${listOf(faults)}\n`);
});
