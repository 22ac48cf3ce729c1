const focusable =
  'a[href], button:not([disabled]), input:not([disabled]):not([type="hidden"]), select:not([disabled]), textarea:not([disabled]), [tabindex]';

/** Returns the tab stops inside an element, in their order. */
export function tabStops(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && !element.closest("[hidden], [inert]") && element.checkVisibility(),
  );
}

/** Target of the focus in a new layer: the element marked by its author, else its first control, else itself. */
export function focusInto(box: HTMLElement): void {
  const at = document.activeElement;
  // The browser gives an opening dialog's focus to the box, which is still empty.
  if (at !== box && box.contains(at)) return;
  const wanted = box.querySelector<HTMLElement>("[data-autofocus]") ?? tabStops(box)[0] ?? box;
  wanted.focus({ preventScroll: true });
}

/** Keeps Tab inside: from the last stop to the first one, and back. */
export function keepTabInside(box: HTMLElement, event: KeyboardEvent): void {
  const stops = tabStops(box);
  const [first, last] = [stops[0] ?? box, stops.at(-1) ?? box];
  const at = document.activeElement;
  const isInside = box.contains(at);
  const edge = event.shiftKey ? first : last;
  if (isInside && at !== edge && !(event.shiftKey && at === box)) return;
  event.preventDefault();
  (event.shiftKey ? last : first).focus();
}

/** Opener of each dialog, closed dialogs included. */
const openers = new WeakMap<Element, Element | null>();

/** Records the opener of a dialog; one that replaces another inherits its opener. */
export function rememberOpener(box: Element, opener: Element | null): void {
  openers.set(box, opener);
}

/**
 * Returns the focus to the opener of the layer, or of the layer it replaced; when that is gone, to the dialog below or
 * the page.
 */
export function focusBack(openedBy: Element | null, leaving: Element | null): void {
  let opener = openedBy;
  while (opener && !opener.isConnected) {
    const gone = opener.closest("dialog");
    opener = (gone && openers.get(gone)) ?? null;
  }
  const isThere = opener !== null && opener !== document.body;
  const dialogs = [...document.querySelectorAll("dialog")];
  const below = dialogs.filter((dialog) => dialog !== leaving).at(-1);
  const next = isThere ? (opener as HTMLElement) : (below ?? document.querySelector("main"));
  next?.focus({ preventScroll: true });
}
