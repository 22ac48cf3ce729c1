/**
 * What every proof shares. A proof is a test that can run at three sizes: short by `--short`, reduced and
 * full by `npm run prove`. It counts what it did, names every fault it met, and shows by planted faults that it can fail.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

export type Size = "short" | "reduced" | "full";

export interface Sizes extends Record<Size, number> {
  /** What is counted, as in "kills". */
  unit: string;
}

export interface Run {
  count: number;
  size: Size;
  /** Says which run this is: the same seed meets the same chances again. */
  seed: number;
  /** Progress of a long run. */
  report(line: string): void;
}

export interface Outcome {
  /** What was broken, one sentence each; none when the goal is held. */
  faults: readonly string[];
  /** What was reached: numbers and short words for the line and for the history. */
  figures: Record<string, number | string>;
  /** Faults planted on purpose, and which of them went unnoticed. */
  planted?: { count: number; missed: readonly string[] };
}

const size = sizeOf(process.env["MALOTE_PROOF"]);
const seed = Number(process.env["MALOTE_SEED"] ?? 7);
/** Another count than the size's, for more or less time; the line says which it was. */
const givenCount = process.env["MALOTE_PROOF_COUNT"];
const shortTimeoutMs = 20 * 60_000;
/** Vitest takes zero for as long as it takes. */
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

/** One JSON line a proof, which `npm run prove` reads back and the history keeps. */
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
