import { useState } from "react";

/** The charge this tab made, so that a reload, or the way back from the bank's app, finds it. Nothing else is kept. */
const keyOf = (token: string) => `malote.checkout.${token}`;

function read(token: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(token)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function useOwnCharge(token: string) {
  const [id, setId] = useState(() => read(token));
  const [isShown, setShown] = useState(id !== undefined);
  return {
    id,
    /** False while it was sent and has not answered. */
    isShown,
    /** Before it is sent: whoever reloads meanwhile finds it, and does not pay a second time. */
    remember(next: string) {
      try {
        sessionStorage.setItem(keyOf(token), next);
      } catch {
        // A browser that keeps nothing still shows the charge until the page is left.
      }
      setId(next);
    },
    show: () => setShown(true),
    forget() {
      try {
        sessionStorage.removeItem(keyOf(token));
      } catch {
        // Nothing was kept.
      }
      setId(undefined);
      setShown(false);
    },
  };
}
