/** Plays sequences on a product with a planted fault until one finds it, and shrinks that one. */

import type { Plant } from "./planted-faults.ts";
import type { Played } from "./play.ts";
import { playAgain, playSeed, shrunk } from "./replay.ts";
import type { SystemUnderTest } from "./system-under-test.ts";

/** The goal: a failure shows its reader at most this many operations. */
export const operationsMax = 20;
/** The number of sequences in which a fault must be found. */
const sequencesMax = 60;

export interface Detection {
  /** The reason why the fault does not count as found. */
  missed: string | undefined;
  sequences: number;
  operations: number;
}

export async function detectPlanted(system: SystemUnderTest, plant: Plant, seed: number): Promise<Detection> {
  const unplant = await plant(system);
  let found: Played | undefined;
  let sequences = 0;
  try {
    while (!found && sequences < sequencesMax) {
      const played = await playSeed(system, seed + sequences++);
      if (played.faults.length > 0) found = await shrunk(system, played);
    }
  } finally {
    await system.wipe();
    await unplant();
  }
  if (!found) return { missed: `not found in ${sequencesMax} sequences`, sequences, operations: 0 };
  const operations = found.operations.length;
  const detection = { sequences, operations };
  if (found.faults.length === 0 || operations > operationsMax)
    return { ...detection, missed: `still ${operations} operations long` };
  // On the product without the fault the same sequence must pass: the fault failed it, not the model.
  const { faults } = await playAgain(system, found.operations);
  return { ...detection, missed: faults.length > 0 ? `fails without it: ${faults.join("; ")}` : undefined };
}
