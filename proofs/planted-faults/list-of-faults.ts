/** The planted faults as the page about the proofs shows them. */
import type { Fault } from "./fault.ts";

export const listOf = (faults: readonly Fault[]): string =>
  [
    "| Fault | In | Caught by |",
    "|---|---|---|",
    ...faults.map(({ name, file, caughtBy }) => `| ${name} | ${short(file)} | ${short(caughtBy.file)} |`),
  ].join("\n");

const short = (path: string) => path.replace(/^(apps|packages)\/([\w-]+)\/(src\/)?/, "$2/");
