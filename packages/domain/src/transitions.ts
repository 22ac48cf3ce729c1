/**
 * A state machine: for each status, its permitted successors. The database refuses every other transition (decision
 * 0048).
 */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Returns the statuses that may go to `to`; for several, those that may go to each of them. */
export function statusesBefore<Status extends string>(
  transitions: Transitions<Status>,
  ...to: readonly Status[]
): Status[] {
  const statuses = Object.keys(transitions) as Status[];
  return statuses.filter((from) => to.every((next) => transitions[from].includes(next)));
}

/** Returns the status and all statuses reachable from it. */
export function statusesFrom<Status extends string>(
  transitions: Transitions<Status>,
  first: Status,
): Status[] {
  const reached = new Set([first]);
  for (const status of reached) for (const next of transitions[status]) reached.add(next);
  return [...reached];
}
