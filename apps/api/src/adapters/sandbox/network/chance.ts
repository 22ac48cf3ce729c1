/** Deterministic pseudo-randomness, so that a test or a second process can predict the result. */
import { createHash } from "node:crypto";

/** Returns a number from 0 to 1 (exclusive) that the text determines. */
export function shareOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}

/** Returns true for `percent` of 100 texts. */
export function happens(percent: number, text: string): boolean {
  return percent > 0 && shareOf(text) * 100 < percent;
}
