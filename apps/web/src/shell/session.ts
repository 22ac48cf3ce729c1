import type { Contract } from "@malote/contracts/contract";
import { type Application, type Bearer, mayCall } from "@malote/contracts/policy";
import type { TokenContent } from "@malote/contracts/session";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { useSyncExternalStore } from "react";

export type Session = TokenContent;

const listeners = new Set<() => void>();
/** Notifies other tabs of this browser: a renewed token or a logout reaches them at once. */
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("malote.session");
if (tabs) tabs.onmessage = () => notify();

let cached: { token: string | null; session: Session | undefined } = { token: null, session: undefined };

function notify(): void {
  for (const listener of listeners) listener();
}

export function readToken(): string | null {
  try {
    return localStorage.getItem(tokenStorageKey);
  } catch {
    return null;
  }
}

export function storeToken(token: string): void {
  localStorage.setItem(tokenStorageKey, token);
  notify();
  tabs?.postMessage("changed");
}

export function clearToken(): void {
  localStorage.removeItem(tokenStorageKey);
  notify();
  tabs?.postMessage("changed");
}

/** Reads the content of a token. The browser does not check signatures: the server does, on every call. */
export function decodeToken(token: string): Session | undefined {
  try {
    const part = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const bytes = Uint8Array.from(atob(part), (char) => char.charCodeAt(0));
    const content = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Session>;
    return content.exp && content.company && content.profile ? (content as Session) : undefined;
  } catch {
    return undefined;
  }
}

export function readSession(): Session | undefined {
  const token = readToken();
  if (token !== cached.token) cached = { token, session: token ? decodeToken(token) : undefined };
  return cached.session;
}

export function isExpired(session: Session, now: number = Date.now()): boolean {
  return session.exp * 1000 <= now;
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Signed-in session, or undefined; the page renders again when it changes, in any tab. */
export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribeToSession, readSession);
}

export function bearerOf(session: Session): Bearer {
  return {
    kind: session.kind,
    application: session.application.id,
    profile: session.profile,
    permissions: session.permissions,
    featureFlags: session.feature_flags,
  };
}

/** True when the button of a call is shown: by the same policy that the server applies. */
export function may(contract: Pick<Contract, "policy">, session: Session | undefined): boolean {
  return mayCall(contract.policy, session && bearerOf(session));
}

/** API of a call that both applications have. */
export const isInValidation = (): boolean => readSession()?.application?.id === "validation";

export function hasApplication(session: Session, application: Application): boolean {
  return session.allowed_applications.some((allowed) => allowed.id === application);
}
