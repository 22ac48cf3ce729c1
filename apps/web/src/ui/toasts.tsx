import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { unbroken } from "./format.ts";
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
const timers = new Map<number, ReturnType<typeof setTimeout>>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  replace(toasts.filter((toast) => toast.id !== id));
}

function show(tone: ToastTone, text: string, ms: number): void {
  const same = toasts.find((toast) => toast.text === text);
  if (same) dismissToast(same.id);
  const id = nextId++;
  replace([...toasts, { id, tone, text }].slice(-visibleMax));
  timers.set(
    id,
    setTimeout(() => dismissToast(id), ms),
  );
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

export function ToastRegion() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <section className={styles.region} aria-label="Avisos" aria-live="polite" aria-relevant="additions">
      {shown.map(({ id, tone, text }) => {
        const Icon = icons[tone];
        return (
          <div key={id} className={styles.toast} data-tone={tone} role={tone === "bad" ? "alert" : "status"}>
            <Icon size={18} aria-hidden />
            <span>{unbroken(text)}</span>
            <button type="button" aria-label="Fechar aviso" onClick={() => dismissToast(id)}>
              <IconX size={16} aria-hidden />
            </button>
          </div>
        );
      })}
    </section>
  );
}
