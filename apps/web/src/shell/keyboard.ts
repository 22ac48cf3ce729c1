import { useEffect } from "react";
import { anyLayerOpen } from "../ui/layers.ts";

interface Shortcuts {
  onPalette: () => void;
  onHelp: () => void;
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return Boolean(element?.closest?.("input, textarea, select, [contenteditable]"));
}

/** Handles Ctrl/Cmd+K, `/` and `?`. The last two are ignored while the person types or a dialog is open. */
export function useShortcuts({ onPalette, onHelp }: Shortcuts): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        onPalette();
        return;
      }
      if (isTyping(event.target) || anyLayerOpen() || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "/") {
        const field = document.querySelector<HTMLInputElement>("[data-search-field]");
        event.preventDefault();
        if (field) field.focus();
        else onPalette();
      }
      if (event.key === "?") {
        event.preventDefault();
        onHelp();
      }
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onPalette, onHelp]);
}
