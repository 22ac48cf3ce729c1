/**
 * Common parts of all proofs. A proof is a test with three sizes: short by `--short`, reduced and full by `npm run
 * prove`. It counts its work, names every fault, and shows by planted faults that it can fail.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

export type Size = "short" | "reduced" | "full";

export interface Sizes extends Record<Size, number> {
  /** The unit of the count, as in "kills". */
  unit: string;
}

export interface Run {
  count: number;
  size: Size;
  /** Identifies the run: the same seed repeats the same choices. */
  seed: number;
  /** Reports the progress of a long run. */
  report(line: string): void;
}

export interface Outcome {
  /** One sentence for each violation; none when the goal is met. */
  faults: readonly string[];
  /** Results: numbers and short words for the line and for the history. */
  figures: Record<string, number | string>;
  /** The number of planted faults, and those that went unnoticed. */
  planted?: { count: number; missed: readonly string[] };
}

const size = sizeOf(process.env["MALOTE_PROOF"]);
const seed = Number(process.env["MALOTE_SEED"] ?? 7);
/** A count that replaces the size's, for more or less time; the line reports it. */
const givenCount = process.env["MALOTE_PROOF_COUNT"];
const shortTimeoutMs = 20 * 60_000;
/** Vitest reads zero as no timeout. */
const noTimeout = 0;

/**
 * Declares the proof of a goal of the goals page, or of a part of one. The file is named after its goal, as in
 * `r7-one-balance.test.ts`, so that `npm run prove R7` finds it.
 */
export function proof(
  goal: string,
  promise: string,
  { unit, ...counts }: Sizes,
  body: (run: Run) => Promise<Outcome>,
): void {
  const count = givenCount ? Number(givenCount) : counts[size];
  const title = `${goal} ${promise} (${count} ${unit})`;
  it(title, { timeout: size === "short" ? shortTimeoutMs : noTimeout }, async () => {
    const since = performance.now();
    const report = (line: string) => {
      if (size !== "short") process.stderr.write(`${goal}  ${line}\n`);
    };
    const { faults, figures, planted } = await body({ count, size, seed, report });
    const missed = planted?.missed ?? [];
    record({
      goal,
      promise,
      size,
      seed,
      count,
      unit,
      held: faults.length === 0 && missed.length === 0,
      seconds: Math.round((performance.now() - since) / 1_000),
      ...(planted && { planted: planted.count, caught: planted.count - missed.length }),
      figures,
      faults: faults.slice(0, 20),
      missed,
    });
    expect(faults.slice(0, 20).join("\n"), "what was broken").toBe("");
    expect(missed.join("\n"), "planted faults that were not noticed").toBe("");
  });
}

function sizeOf(word: string | undefined): Size {
  return word === "reduced" || word === "full" ? word : "short";
}

/** Writes one JSON line per proof, which `npm run prove` reads and the history stores. */
function record(line: Record<string, unknown>): void {
  if (size === "short") return;
  const folder = join(import.meta.dirname, "history");
  mkdirSync(folder, { recursive: true });
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  }).trim();
  appendFileSync(
    join(folder, "proofs.jsonl"),
    `${JSON.stringify({ at: new Date().toISOString(), commit, ...line })}\n`,
  );
}
