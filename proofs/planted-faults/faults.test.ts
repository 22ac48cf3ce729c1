/** The planted faults name existing tests, and the page about the proofs lists them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Fault } from "./fault.ts";
import { faults } from "./faults.ts";
import { withoutStep } from "./mutants.ts";

/** Returns the planted faults as docs/proofs.md shows them. */
const listOf = (faults: readonly Fault[]): string =>
  [
    "| Fault | Planted in | Caught by |",
    "|---|---|---|",
    ...faults.map(
      ({ name, plant, caughtBy }) =>
        `| ${name} | ${"sql" in plant ? "the database" : "file" in plant ? short(plant.file) : "statements"} | ${short(caughtBy.file)} |`,
    ),
  ].join("\n");

const short = (path: string) => path.replace(/^(apps|packages)\/([\w-]+)\/(src\/)?/, "$2/");

const read = (path: string) => readFileSync(join(import.meta.dirname, "../..", path), "utf8");

/** Titles that come from a table or from the name of a proof. */
const generated: ReadonlySet<string> = new Set([
  "refuses INSERT INTO ledger_entries",
  "shows nothing of another company in ledger_entries",
  "BAT-064 binds an approval to the content: two values",
  "accepts legal steps only, of the owner",
  "refuses a bomb in the strings",
  "R4 ",
  "SHL-038 SES-059 closing a batch of Pix is refused while",
  "SHL-038 SES-059 withdrawing by TED is refused while",
  "SHL-038 SES-059 giving a received Pix back is refused while",
  "SHL-038 waits past its scheduled day while 'payout_pix' is suspended",
  "makes no new charge for any feature by 'pix'",
]);

it("name existing tests", () => {
  const lost = faults.filter(
    ({ caughtBy: { file, test } }) =>
      !generated.has(test) && !['"', "`"].some((quote) => read(file).includes(`${quote}${test}`)),
  );
  expect(lost.map(({ caughtBy }) => `${caughtBy.file}: ${caughtBy.test}`)).toEqual([]);
});

it("contain each omitted step exactly once", () => {
  for (const { plant } of faults) {
    if ("step" in plant) expect(withoutStep(read(plant.file), plant.step)).not.toBe(read(plant.file));
  }
});

it("are at least forty, each with a unique name", () => {
  expect(faults.length).toBeGreaterThanOrEqual(40);
  expect(new Set(faults.map((fault) => fault.name)).size).toBe(faults.length);
});

it("are listed in docs/proofs.md, as `listOf(faults)` writes them", () => {
  expect(read("docs/proofs.md")).toContain(`\n${listOf(faults)}\n`);
});
