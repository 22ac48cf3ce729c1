/** Plays sequences on a bent product until one is noticed, and cuts that one down. */

import type { Plant } from "./planted-faults.ts";
import type { Played } from "./play.ts";
import { playAgain, playSeed, shrunk } from "./replay.ts";
import type { SystemUnderTest } from "./system-under-test.ts";

/** The goal: the reader of a failure reads at most so many operations. */
export const operationsMax = 20;
/** Sequences within which a fault must be found. */
const sequencesMax = 60;

export interface Bitten {
  /** Why it does not count as caught. */
  missed: string | undefined;
  sequences: number;
  operations: number;
}

export async function bite(system: SystemUnderTest, plant: Plant, seed: number): Promise<Bitten> {
  const straighten = await plant(system);
  let found: Played | undefined;
  let sequences = 0;
  try {
    while (!found && sequences < sequencesMax) {
      const played = await playSeed(system, seed + sequences++);
      if (played.faults.length > 0) found = await shrunk(system, played);
    }
  } finally {
    await system.wipe();
    await straighten();
  }
  if (!found) return { missed: `not found in ${sequencesMax} sequences`, sequences, operations: 0 };
  const operations = found.operations.length;
  const bitten = { sequences, operations };
  if (found.faults.length === 0 || operations > operationsMax)
    return { ...bitten, missed: `still ${operations} operations long` };
  // On the straight product the same sequence has nothing to find: it was the fault, not the model.
  const { faults } = await playAgain(system, found.operations);
  return { ...bitten, missed: faults.length > 0 ? `fails without it: ${faults.join("; ")}` : undefined };
}
