import { useRef } from "react";

/**
 * Lets one piece of work through at a time. A second click arrives before the first is drawn as busy; it would take
 * over the first one's answer, and the person would see the answer to a repetition.
 */
export function useOneAtATime() {
  const running = useRef(false);
  return {
    begin(): boolean {
      if (running.current) return false;
      running.current = true;
      return true;
    },
    end(): void {
      running.current = false;
    },
  };
}
