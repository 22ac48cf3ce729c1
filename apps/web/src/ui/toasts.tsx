import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { unbroken } from "./format.ts";
import { usePlaceOnTop } from "./layers.ts";
import styles from "./toasts.module.css";

export type ToastTone = "good" | "bad" | "info";

export interface Toast {
  id: number;
  tone: ToastTone;
  text: string;
}

const stayMs = 5_000;
/** Reports take longer to read about: their toast stays twice as long (SES-076). */
const reportStayMs = 10_000;
const visibleMax = 4;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** How long each still stays, and its timer unless it is being read. */
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

/** A message that is pointed at or holds the focus does not leave (WCAG 2.2.1). */
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

/** The short message that passes by. Anything a person must act on belongs on the page, not here. */
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

/** Within the top dialog while one is open: elsewhere it could be neither pressed nor spoken. */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const place = usePlaceOnTop();
  const region = useRef<HTMLElement>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const isPointedAt = useIsPointedAt(region, shown.length > 0);
  useEffect(() => {
    pause(shown.length > 0 && (hasFocus || isPointedAt));
  }, [shown, hasFocus, isPointedAt]);
  const [bad, others] = [shown.filter(isBad), shown.filter((one) => !isBad(one))];
  const content = (
    <section
      ref={region}
      className={styles.region}
      aria-label="Avisos"
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
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
    </section>
  );
  return place ? createPortal(content, place) : content;
}

const isBad = ({ tone }: Toast) => tone === "bad";

function Message({ id, tone, text }: Toast) {
  const Icon = icons[tone];
  return (
    <div className={styles.toast} data-tone={tone}>
      <Icon size={18} aria-hidden />
      <span>{unbroken(text)}</span>
      <button type="button" aria-label="Fechar aviso" onClick={() => dismissToast(id)}>
        <IconX size={16} aria-hidden />
      </button>
    </div>
  );
}

/** By where the pointer is: a message lets clicks through to what it lies on, so it gets no events of its own. */
function useIsPointedAt(region: RefObject<HTMLElement | null>, isShown: boolean): boolean {
  const [isPointedAt, setIsPointedAt] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    const onMove = ({ clientX: x, clientY: y }: PointerEvent) => {
      const at = region.current?.getBoundingClientRect();
      setIsPointedAt(at !== undefined && x >= at.left && x <= at.right && y >= at.top && y <= at.bottom);
    };
    addEventListener("pointermove", onMove, { passive: true });
    return () => {
      removeEventListener("pointermove", onMove);
      setIsPointedAt(false);
    };
  }, [region, isShown]);
  return isPointedAt;
}
