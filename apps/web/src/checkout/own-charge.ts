import { useState } from "react";

/** In the address, so that a bookmark, or the company, opens it again in another tab or on another device. */
const parameter = "cobranca";
const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function inAddress(): string | undefined {
  const id = new URLSearchParams(location.search).get(parameter);
  return id && idPattern.test(id) ? id : undefined;
}

function writeAddress(id: string | undefined): void {
  const address = new URL(location.href);
  if (id) address.searchParams.set(parameter, id);
  else address.searchParams.delete(parameter);
  history.replaceState(history.state, "", address);
}

/**
 * The charge this tab made, so that a reload, or the return from the bank's app, finds it. Nothing else is stored.
 */
const keyOf = (token: string) => `malote.checkout.${token}`;

function read(token: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(token)) ?? undefined;
  } catch {
    return undefined;
  }
}

export function useOwnCharge(token: string) {
  const [id, setId] = useState(() => inAddress() ?? read(token));
  const [isShown, setShown] = useState(id !== undefined);
  return {
    id,
    /** False while it was sent and has not answered. */
    isShown,
    /** Before it is sent: a payer who reloads meanwhile finds it, and does not pay a second time. */
    remember(next: string) {
      try {
        sessionStorage.setItem(keyOf(token), next);
      } catch {
        // A browser without storage still shows the charge until the page is left.
      }
      writeAddress(next);
      setId(next);
    },
    show: () => setShown(true),
    forget() {
      try {
        sessionStorage.removeItem(keyOf(token));
      } catch {
        // Nothing was kept.
      }
      writeAddress(undefined);
      setId(undefined);
      setShown(false);
    },
  };
}
