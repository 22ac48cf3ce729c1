import "../styles/tokens.css";
import "../styles/base.css";
import { type ReactNode, useSyncExternalStore } from "react";
import { ToastRegion } from "./toasts.tsx";

export type ThemeChoice = "auto" | "light" | "dark";

// public/theme.js reads the same key before the first paint.
const key = "malote.theme";
const listeners = new Set<() => void>();

function readChoice(): ThemeChoice {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "auto";
}

function show(choice: ThemeChoice): void {
  if (choice === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = choice;
  for (const listener of listeners) listener();
}

/** Set on the page itself, where the colours read it; without it the system's setting decides. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Without storage the choice holds until the page is left.
  }
  show(choice);
}

function subscribe(listener: () => void): () => void {
  const onOtherTab = (event: StorageEvent) => {
    if (event.key === key) show((event.newValue ?? "auto") as ThemeChoice);
  };
  listeners.add(listener);
  addEventListener("storage", onOtherTab);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onOtherTab);
  };
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, readChoice);
}

/** Colours of the desk, with the one place where toasts appear. */
export function MaloteTheme({ children }: { children: ReactNode }) {
  useThemeChoice();
  return (
    <>
      {children}
      <ToastRegion />
    </>
  );
}
