import { useEffect, useId, useRef } from "react";

interface Layer {
  id: string;
  onKey: (event: KeyboardEvent) => void;
}

/** Whatever lies over the page, the top one last. Escape and Tab belong to that one alone. */
let layers: readonly Layer[] = [];

function change(next: readonly Layer[]): void {
  if (layers.length === 0 && next.length > 0) addEventListener("keydown", passToTop, { capture: true });
  if (next.length === 0) removeEventListener("keydown", passToTop, { capture: true });
  layers = next;
}

/** One listener for all: with one for each, closing the top layer would let the next one handle the same key. */
function passToTop(event: KeyboardEvent): void {
  // A key that ends the choice of an accent belongs to the field alone.
  if (!event.isComposing) layers.at(-1)?.onKey(event);
}

/** Keyboard shortcuts of the page rest while any dialog is open. */
export function anyLayerOpen(): boolean {
  return layers.length > 0;
}

/** Puts a layer on top while it is open; it receives every key until another one opens over it. */
export function useTopLayer(opened: boolean, onKey: (event: KeyboardEvent) => void): void {
  const id = useId();
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    if (!opened) return;
    change([...layers, { id, onKey: (event) => latest.current(event) }]);
    return () => change(layers.filter((layer) => layer.id !== id));
  }, [opened, id]);
}
