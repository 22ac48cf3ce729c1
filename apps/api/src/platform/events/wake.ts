/** Relays of this process, woken when an emitting transaction has committed. Relays of other processes poll. */
const relays = new Set<() => void>();

export function wakeRelays(): void {
  for (const wake of relays) wake();
}

/** Registers a relay and returns the function that removes it. */
export function onEmitted(wake: () => void): () => void {
  relays.add(wake);
  return () => void relays.delete(wake);
}
