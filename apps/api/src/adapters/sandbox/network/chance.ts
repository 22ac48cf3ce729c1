/** Chance that is the same each time it is computed: a test, or a second process, can predict the result. */
import { createHash } from "node:crypto";

/** A number from 0 up to, not including, 1 that belongs to this text. */
export function shareOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}

/** True for `percent` in a hundred of all texts. */
export function happens(percent: number, text: string): boolean {
  return percent > 0 && shareOf(text) * 100 < percent;
}
