/** Returns the time that this share did not exceed, in whole milliseconds. */
export function at(timesMs: readonly number[], share: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0);
}
