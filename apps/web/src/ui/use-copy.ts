import { useEffect, useState } from "react";

/** Copies a text, and confirms it for a while. A missing clipboard, as on a page without https, counts as a failure. */
export function useCopy(text: string, shownMs: number) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state !== "copied") return;
    const timer = setTimeout(() => setState("idle"), shownMs);
    return () => clearTimeout(timer);
  }, [state, shownMs]);
  return {
    state,
    async copy(): Promise<boolean> {
      try {
        await navigator.clipboard.writeText(text);
        setState("copied");
        return true;
      } catch {
        setState("failed");
        return false;
      }
    },
  };
}
