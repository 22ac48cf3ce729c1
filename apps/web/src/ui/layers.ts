import { type RefCallback, useCallback, useEffect, useId, useRef } from "react";

interface Layer {
  id: string;
  onKey: (event: KeyboardEvent) => void;
}

/** Layers above the page, the top one last. Only the top one receives Escape and Tab. */
let layers: readonly Layer[] = [];

function change(next: readonly Layer[]): void {
  if (layers.length === 0 && next.length > 0) addEventListener("keydown", passToTop, { capture: true });
  if (next.length === 0) removeEventListener("keydown", passToTop, { capture: true });
  layers = next;
}

/** One listener for all layers: with one each, closing the top layer would let the next one handle the same key. */
function passToTop(event: KeyboardEvent): void {
  // A key that ends the composition of an accent belongs to the field alone.
  if (!event.isComposing) layers.at(-1)?.onKey(event);
}

/** Passes a request of the browser to close, such as a phone's back gesture, to the top layer as Escape. */
export function closeTopLayer(): void {
  layers.at(-1)?.onKey(new KeyboardEvent("keydown", { key: "Escape", cancelable: true }));
}

/** Keyboard shortcuts of the page are off while any dialog is open. */
export function anyLayerOpen(): boolean {
  return layers.length > 0;
}

/**
 * Puts a layer on top while it is open; it receives every key until another one opens above it. Returns a function that
 * checks whether it is on top.
 */
export function useTopLayer(opened: boolean, onKey: (event: KeyboardEvent) => void): () => boolean {
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
  return () => layers.at(-1)?.id === id;
}

/** One element in each open dialog, which holds the toasts while that dialog is on top. */
let places: readonly HTMLElement[] = [];
const onPlaces = new Set<() => void>();

function setPlaces(next: readonly HTMLElement[]): void {
  places = next;
  for (const notify of onPlaces) notify();
}

/** Returns the ref of a dialog's element for toasts. */
export function useDialogOnTop(): RefCallback<HTMLElement> {
  return useCallback((place) => {
    if (!place) return;
    setPlaces([...places, place]);
    return () => setPlaces(places.filter((one) => one !== place));
  }, []);
}

/** Returns the element for toasts of the top dialog; undefined when no dialog is open. The page behind a dialog is inert. */
export const placeOnTop = (): HTMLElement | undefined => places.at(-1);

/** Calls `notify` when the top dialog changes; for a dialog that closes, before its elements leave the page. */
export function onPlaceOnTop(notify: () => void): () => void {
  onPlaces.add(notify);
  return () => onPlaces.delete(notify);
}
