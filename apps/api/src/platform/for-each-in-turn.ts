/** Runs the steps in turn. A failure does not delay later steps and is thrown at the end. */
export async function forEachInTurn<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: Error[] = [];
  for (const item of items) await work(item).catch((error: Error) => void failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map((error) => error.message).join("; "));
}
