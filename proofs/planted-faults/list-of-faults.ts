/** The planted faults as the page about the proofs shows them. */
import type { Fault } from "./fault.ts";

export const listOf = (faults: readonly Fault[]): string =>
  [
    "| Fault | Planted in | Caught by |",
    "|---|---|---|",
    ...faults.map(
      ({ name, plant, caughtBy }) =>
        `| ${name} | ${"sql" in plant ? "the database" : "file" in plant ? short(plant.file) : "statements"} | ${short(caughtBy.file)} |`,
    ),
  ].join("\n");

const short = (path: string) => path.replace(/^(apps|packages)\/([\w-]+)\/(src\/)?/, "$2/");
