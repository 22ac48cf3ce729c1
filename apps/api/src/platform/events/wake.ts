/** Relays of this process, woken when an emitting transaction has committed. Those of other processes poll. */
const relays = new Set<() => void>();

export function wakeRelays(): void {
  for (const wake of relays) wake();
}

/** Answers how to stop being woken. */
export function onEmitted(wake: () => void): () => void {
  relays.add(wake);
  return () => void relays.delete(wake);
}
