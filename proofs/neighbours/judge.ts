/** Experience of a neighbour while another company made as many calls as it could. */
export interface Met {
  /** For each of the neighbour's calls: the number of the other's calls that were answered while it waited. */
  overtaken: readonly number[];
  refused: readonly string[];
}

/**
 * A company has three concurrent reads (decision 0029), so a few of them end during a call of the neighbour; without
 * that bound all forty connections would be served first. The proof counts and does not measure time, so a slow or busy
 * machine gives the same result.
 */
const overtakenMax = 12;

export const part = (counts: readonly number[], share: number): number =>
  counts.toSorted((a, b) => a - b)[Math.min(counts.length - 1, Math.floor(counts.length * share))] ??
  Number.NaN;

export function faultsOf(what: string, { overtaken, refused }: Met): string[] {
  const faults: string[] = [];
  if (refused.length > 0)
    faults.push(`beside ${what} a neighbour was refused ${refused.length} times: ${refused[0]}`);
  // Without calls nothing is proven.
  if (overtaken.length < 5) faults.push(`beside ${what} a neighbour had ${overtaken.length} answers`);
  const late = part(overtaken, 0.95);
  if (late > overtakenMax) faults.push(`beside ${what} a neighbour waited behind ${late} calls`);
  return faults;
}
