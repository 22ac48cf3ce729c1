/** What a neighbour experienced while another company called as much as it could. */
export interface Met {
  /** For each of the neighbour's calls: how many of the other's were answered while it waited. */
  overtaken: readonly number[];
  refused: readonly string[];
}

/**
 * Three reads of a company run at a time (decision 0029), so a few of them end beside a call of the neighbour's; without that
 * bound all forty connections would be served first. Counted and not timed: a slow or busy machine counts the same.
 */
const overtakenMax = 12;

export const part = (counts: readonly number[], share: number): number =>
  counts.toSorted((a, b) => a - b)[Math.min(counts.length - 1, Math.floor(counts.length * share))] ??
  Number.NaN;

export function faultsOf(what: string, { overtaken, refused }: Met): string[] {
  const faults: string[] = [];
  if (refused.length > 0)
    faults.push(`beside ${what} a neighbour was refused ${refused.length} times: ${refused[0]}`);
  // Nothing asked is nothing proven.
  if (overtaken.length < 5) faults.push(`beside ${what} a neighbour had ${overtaken.length} answers`);
  const late = part(overtaken, 0.95);
  if (late > overtakenMax) faults.push(`beside ${what} a neighbour waited behind ${late} calls`);
  return faults;
}
