import { useEffect, useId, useSyncExternalStore } from "react";

/** Which dialog lies on top. Escape belongs to that one alone (each dialog would otherwise listen for itself). */
let layers: readonly string[] = [];
const listeners = new Set<() => void>();

function change(next: readonly string[]): void {
  layers = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keyboard shortcuts of the page rest while any dialog is open. */
export function anyLayerOpen(): boolean {
  return layers.length > 0;
}

export function useTopLayer(opened: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    change([...layers, id]);
    return () => change(layers.filter((layer) => layer !== id));
  }, [opened, id]);
  const top = useSyncExternalStore(subscribe, () => layers.at(-1));
  return opened && top === id;
}
