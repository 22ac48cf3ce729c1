import { useState } from "react";

/** Stored in the address, so that a bookmark or the company can open it in another tab or device. */
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
 * Remembers the charge of this tab, so that a reload, or the return from the bank's app, finds it. Nothing else is
 * stored.
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
    /** False while the charge is sent and unanswered. */
    isShown,
    /** Called before sending: a payer who reloads meanwhile finds the charge, and does not pay a second time. */
    remember(next: string) {
      try {
        sessionStorage.setItem(keyOf(token), next);
      } catch {
        // Without storage the charge stays visible until the page is left.
      }
      writeAddress(next);
      setId(next);
    },
    show: () => setShown(true),
    forget() {
      try {
        sessionStorage.removeItem(keyOf(token));
      } catch {
        // Storage is unavailable, so there is nothing to remove.
      }
      writeAddress(undefined);
      setId(undefined);
      setShown(false);
    },
  };
}
