/** The planted faults stand where they say, are planted once, and are told on the page about the proofs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faults } from "./faults.ts";
import { listOf } from "./list-of-faults.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");

it.each(faults.map((fault) => [fault.name, fault] as const))("can plant: %s", (_, { file, right, wrong }) => {
  expect(read(file).split(right).length - 1, `how often it stands in ${file}`).toBe(1);
  expect(wrong).not.toBe(right);
});

it("has forty faults or more, each with a name of its own", () => {
  expect(faults.length).toBeGreaterThanOrEqual(40);
  expect(new Set(faults.map((fault) => fault.name)).size).toBe(faults.length);
});

it("tells each of them in docs/proofs.md, as `listOf(faults)` writes it", () => {
  expect(read("docs/proofs.md")).toContain(`\n${listOf(faults)}\n`);
});
