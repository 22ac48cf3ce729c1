/** Repeats sequences by their seed, or from the text of a failure. */
import { chanceOf } from "../chance.ts";
import { generate } from "./generate.ts";
import type { Operation } from "./operations.ts";
import { type Played, play } from "./play.ts";
import { shrink } from "./shrink.ts";
import { openSystem, type SystemUnderTest } from "./system-under-test.ts";

export const playSeed = (system: SystemUnderTest, seed: number): Promise<Played> =>
  play(system, generate(chanceOf(seed)));

export const playAgain = (system: SystemUnderTest, operations: readonly Operation[]): Promise<Played> =>
  play(system, (_, done) => operations[done]);

/** Runs a sequence on its own product and throws the differences. Tests printed by a failure call it. */
export async function replay(operations: readonly Operation[]): Promise<void> {
  const system = await openSystem();
  const { faults } = await playAgain(system, operations);
  await system.wipe();
  await system.close();
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/** Returns the shortest sequence that still fails, with its faults. */
export async function shrunk(system: SystemUnderTest, { operations }: Played): Promise<Played> {
  const fails = async (some: readonly Operation[]) => (await playAgain(system, some)).faults.length > 0;
  return playAgain(system, await shrink(operations, fails));
}

/** Returns a test that can be pasted unchanged into a file of this folder. */
export function sourceOf(
  { operations, faults }: Pick<Played, "operations" | "faults">,
  title: string,
): string {
  const about = faults.slice(0, 8).map((fault) => `// ${fault}`);
  return [
    'import { it } from "vitest";',
    'import { replay } from "./replay.ts";',
    "",
    ...about,
    `it(${JSON.stringify(title)}, { timeout: 60_000 }, () =>`,
    "  replay([",
    ...operations.map((operation) => `    ${JSON.stringify(operation)},`),
    "  ]));",
  ].join("\n");
}
