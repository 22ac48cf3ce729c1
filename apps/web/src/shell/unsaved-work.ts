import { useEffect, useId } from "react";

const open = new Set<string>();

/** True while this page holds typed text that is not sent yet. */
export function hasUnsavedWork(): boolean {
  return open.size > 0;
}

/** Registers whether a form holds unsent text: the browser then asks before leaving, and an ended session waits. */
export function useUnsavedWork(dirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    open.add(id);
    addEventListener("beforeunload", ask);
    return () => {
      open.delete(id);
      removeEventListener("beforeunload", ask);
    };
  }, [dirty, id]);
}
