import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { unbroken } from "./format.ts";
import { onPlaceOnTop, placeOnTop } from "./layers.ts";
import styles from "./toasts.module.css";

export type ToastTone = "good" | "bad" | "info";

export interface Toast {
  id: number;
  tone: ToastTone;
  text: string;
}

const stayMs = 5_000;
/** Messages about reports are longer, so their toast stays twice as long (SES-076). */
const reportStayMs = 10_000;
const visibleMax = 4;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** Remaining time of each toast, and its timer unless it is being read. */
const stays = new Map<number, { leftMs: number; since: number; timer?: ReturnType<typeof setTimeout> }>();
let isPaused = false;

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismissToast(id: number): void {
  clearTimeout(stays.get(id)?.timer);
  stays.delete(id);
  replace(toasts.filter((toast) => toast.id !== id));
}

function stay(id: number, leftMs: number): void {
  const timer = isPaused ? {} : { timer: setTimeout(() => dismissToast(id), leftMs) };
  stays.set(id, { leftMs, since: Date.now(), ...timer });
}

/** A message under the pointer or with the focus does not disappear (WCAG 2.2.1). */
function pause(paused: boolean): void {
  if (paused === isPaused) return;
  isPaused = paused;
  for (const [id, { leftMs, since, timer }] of [...stays]) {
    clearTimeout(timer);
    stay(id, timer ? Math.max(leftMs - (Date.now() - since), 1_000) : leftMs);
  }
}

function show(tone: ToastTone, text: string, ms: number): void {
  const same = toasts.find((toast) => toast.text === text);
  if (same) dismissToast(same.id);
  const id = nextId++;
  replace([...toasts, { id, tone, text }].slice(-visibleMax));
  stay(id, ms);
}

/** Short message that disappears. Anything a person must act on belongs on the page, not here. */
export const toast = {
  good: (text: string) => show("good", text, stayMs),
  bad: (text: string) => show("bad", text, stayMs),
  info: (text: string) => show("info", text, stayMs),
  report: (text: string) => show("info", text, reportStayMs),
  clear: () => {
    for (const { id } of toasts) dismissToast(id);
  },
};

const icons = { good: IconCheck, bad: IconAlertTriangle, info: IconInfoCircle };

/**
 * Rendered in the top dialog while one is open: elsewhere it could be neither clicked nor read aloud. One element is
 * moved from place to place, because a screen reader announces only changes in a region that existed before.
 */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const [holder] = useState(() => document.createElement("div"));
  useLayoutEffect(() => {
    const move = () => moveTo(placeOnTop() ?? document.body, holder);
    move();
    const stop = onPlaceOnTop(move);
    return () => {
      stop();
      holder.remove();
    };
  }, [holder]);
  const isPointedAt = useIsPointedAt(holder, shown.length > 0);
  useEffect(() => {
    const look = (focused: EventTarget | null) =>
      pause(shown.length > 0 && (isPointedAt || (focused instanceof Node && holder.contains(focused))));
    const onFocusIn = ({ target }: FocusEvent) => look(target);
    const onFocusOut = ({ relatedTarget }: FocusEvent) => look(relatedTarget);
    look(document.activeElement);
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("focusout", onFocusOut);
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("focusout", onFocusOut);
    };
  }, [holder, shown, isPointedAt]);
  const [bad, others] = [shown.filter(isBad), shown.filter((one) => !isBad(one))];
  return createPortal(
    <section className={styles.region} aria-label="Avisos">
      <div aria-live="polite" aria-relevant="additions">
        {others.map((one) => (
          <Message key={one.id} {...one} />
        ))}
      </div>
      {bad.map((one) => (
        <div key={one.id} role="alert">
          <Message {...one} />
        </div>
      ))}
    </section>,
    holder,
  );
}

/** Moves the element without removing it from the page, when the browser can. */
function moveTo(
  place: HTMLElement & { moveBefore?: (node: Node, child: Node | null) => void },
  element: Element,
) {
  if (element.parentElement === place) return;
  if (element.isConnected && place.isConnected && place.moveBefore) place.moveBefore(element, null);
  else place.append(element);
}

const isBad = ({ tone }: Toast) => tone === "bad";

function Message({ id, tone, text }: Toast) {
  const Icon = icons[tone];
  return (
    <div className={styles.toast} data-tone={tone} data-message>
      <Icon size={18} aria-hidden />
      <span>{unbroken(text)}</span>
      <button
        type="button"
        aria-label="Fechar aviso"
        onClick={({ currentTarget }) => {
          focusBeside(currentTarget);
          dismissToast(id);
        }}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>
  );
}

/**
 * Moves the focus before the button disappears with its message: to the next message, else to the dialog or page that
 * showed it.
 */
function focusBeside(button: HTMLElement): void {
  if (document.activeElement !== button) return;
  const others = button.closest("section")?.querySelectorAll("button") ?? [];
  const next = [...others].find((one) => one !== button);
  const below = button.closest("dialog")?.querySelector<HTMLElement>("[tabindex]");
  (next ?? below ?? document.querySelector("main"))?.focus({ preventScroll: true });
}

interface Point {
  clientX: number;
  clientY: number;
}

const isWithin = (element: Element, { clientX: x, clientY: y }: Point) => {
  const { left, right, top, bottom, width } = element.getBoundingClientRect();
  return width > 0 && x >= left && x <= right && y >= top && y <= bottom;
};

/** Messages let clicks through, but a click on one must not act on the element below. */
export const isOnMessage = (point: Point): boolean =>
  [...document.querySelectorAll("[data-message]")].some((message) => isWithin(message, point));

/** Uses the pointer's position, because a message gets no events of its own. A lifted finger points at nothing. */
function useIsPointedAt(holder: HTMLElement, isShown: boolean): boolean {
  const [isPointedAt, setIsPointedAt] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    const onMove = (event: PointerEvent) => {
      const region = holder.firstElementChild;
      setIsPointedAt(event.pointerType !== "touch" && region !== null && isWithin(region, event));
    };
    addEventListener("pointermove", onMove, { passive: true });
    return () => {
      removeEventListener("pointermove", onMove);
      setIsPointedAt(false);
    };
  }, [holder, isShown]);
  return isPointedAt;
}
