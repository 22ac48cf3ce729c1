import type { Application } from "@malote/contracts/policy";
import { authorize, logout } from "@malote/contracts/session";
import { call, onIdentityAsked, onSessionRefused } from "./call.ts";
import { withinTime } from "./load-part.ts";
import { identityQuestion } from "./question-store.ts";
import { type LeaveReason, signInAddress } from "./return-address.ts";
import {
  clearToken,
  decodeToken,
  isExpired,
  readSession,
  readToken,
  type Session,
  storeToken,
  subscribeToSession,
} from "./session.ts";
import { askToSignInAgain } from "./sign-in-again-store.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

/** A token is exchanged when less than this is left of it, and only while the page is in use. */
const renewWhenLeftMs = 10 * 60_000;
const lookEveryMs = 30_000;
/** Time between the warning and the end of an idle session. */
const warnWhenLeftMs = 2 * 60_000;
const inUseWithinMs = 15 * 60_000;

let lastUseAt = Date.now();

export type RenewalNeed = "none" | "renew" | "warn" | "ended";

/** Pure: decides what to do with a token at this moment. */
export function renewalNeed(facts: { expiresAt: number; now: number; lastUseAt: number }): RenewalNeed {
  const leftMs = facts.expiresAt - facts.now;
  if (leftMs <= 0) return "ended";
  const inUse = facts.now - facts.lastUseAt <= inUseWithinMs;
  if (inUse) return leftMs <= renewWhenLeftMs ? "renew" : "none";
  return leftMs <= warnWhenLeftMs ? "warn" : "none";
}

/** Exchanges the stored token for a fresh one, or for one of another application (SES-036, SES-037). */
export async function exchangeToken(scope?: Application): Promise<void> {
  await oneTabAtATime(async () => {
    const token = readToken();
    if (!token) throw new Error("no token to exchange");
    storeToken(await exchanged(token, scope));
  });
}

async function exchanged(token: string, scope?: Application): Promise<string> {
  const body = { grant_type: "refresh_token", refresh_token: token, ...(scope && { scope }) } as const;
  const answer = await call(authorize, { body });
  if (!("access_token" in answer)) throw new Error("an exchange never asks for a second factor");
  return answer.access_token;
}

/** A token can be exchanged once; without the lock two tabs would use the same one. */
function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  return navigator.locks ? navigator.locks.request("malote.session", work) : work();
}

async function renewIfNeeded(): Promise<void> {
  const session = readSession();
  if (!session) return;
  const need = renewalNeed({ expiresAt: session.exp * 1000, now: Date.now(), lastUseAt });
  sayEnding(need === "warn" ? session.exp * 1000 : undefined);
  // A failed renewal is not reported yet: the token is still valid, and the next check retries.
  if (need === "renew") await exchangeToken().catch(() => undefined);
  // Typed text is kept for its person; the rest of the screen must not stay readable.
  if (need === "ended" && !hasUnsavedWork()) await leaveToLogin("inatividade");
}

let endsAt: number | undefined;
const endingListeners = new Set<() => void>();

function sayEnding(at: number | undefined): void {
  if (endsAt === at) return;
  endsAt = at;
  for (const listener of endingListeners) listener();
}

/** End of an idle session, once it is near. */
export const sessionEnding = {
  subscribe(listener: () => void): () => void {
    endingListeners.add(listener);
    return () => endingListeners.delete(listener);
  },
  endsAt: () => endsAt,
};

/** Counts as a use of the page and renews the token. */
export async function staySignedIn(): Promise<void> {
  lastUseAt = Date.now();
  await renewIfNeeded();
}

let rescue: Promise<boolean> | undefined;

/**
 * Handles a 401. Another tab may have renewed meanwhile; otherwise, with unsent input on the page, the person signs in
 * again above it and nothing is lost; otherwise they are sent to the login site (SES-062).
 */
async function rescueSession(refusedToken: string | null): Promise<boolean> {
  const current = readToken();
  if (current && current !== refusedToken) return true;
  if (isLoggingOut) return false;
  rescue ??= signInAgainOrLeave().finally(() => {
    rescue = undefined;
  });
  return rescue;
}

async function signInAgainOrLeave(): Promise<boolean> {
  if (hasUnsavedWork()) return askToSignInAgain();
  const session = readSession();
  await leaveToLogin(session && isExpired(session) ? "inatividade" : "fim");
  return false;
}

/** Sign-in page of this origin, for a brand that cannot be read. */
const ownLoginUrl = "/entrar";
const brandMaxMs = 10_000;
let askLoginUrl = async (): Promise<string> => ownLoginUrl;
let goTo = (address: string): void => location.assign(address);

/** Sign-in address from this origin's brand; only a page that has to leave waits for it (SES-024). */
export function onLoginUrlAsked(ask: () => Promise<string>): void {
  askLoginUrl = ask;
}

export function setNavigationToLogin(go: (address: string) => void): void {
  goTo = go;
}

let isLeaving = false;
const here = (): string => location.pathname + location.search + location.hash;

/** SES-039: removes the token and goes to the login site. With a reason, the person returns here afterwards. */
export async function leaveToLogin(reason?: LeaveReason, from: string = here()): Promise<void> {
  // Without this the page would take its own removal of the token for one by another tab.
  if (isLeaving) return;
  isLeaving = true;
  clearToken();
  isLeaving = false;
  const loginUrl = await withinTime(askLoginUrl(), brandMaxMs).catch(() => ownLoginUrl);
  goTo(signInAddress(loginUrl, reason && from, reason));
}

const farewellMaxMs = 3_000;
/** A person who leaves is not asked to sign in again, though the session ended before and typed text is still here. */
let isLoggingOut = false;

/** `/logout`: the server ends the session everywhere; without an answer the browser removes the token all the same. */
export async function logOut(): Promise<void> {
  isLoggingOut = true;
  if (readToken()) await call(logout, { signal: AbortSignal.timeout(farewellMaxMs) }).catch(() => undefined);
  isLoggingOut = false;
  await leaveToLogin();
}

/** Starts silent renewal and the handling of refused calls. Returns a function that stops it. */
export function keepSession(): () => void {
  // Opening the page counts as a use.
  lastUseAt = Date.now();
  onSessionRefused(rescueSession);
  onIdentityAsked(identityQuestion.ask);
  const remember = () => {
    person = readSession() ?? person;
  };
  remember();
  const forget = subscribeToSession(remember);
  const used = () => {
    lastUseAt = Date.now();
    if (endsAt !== undefined) void renewIfNeeded();
  };
  const look = () => void renewIfNeeded();
  addEventListener("pointerdown", used, { passive: true });
  addEventListener("keydown", used, { passive: true });
  addEventListener("focus", look);
  const timer = setInterval(look, lookEveryMs);
  look();
  return () => {
    clearInterval(timer);
    forget();
    removeEventListener("pointerdown", used);
    removeEventListener("keydown", used);
    removeEventListener("focus", look);
  };
}

/** Last person on this page; kept when another tab logs out while typed text is still here. */
let person: Session | undefined;

/**
 * A sign-in opens the person's first application (SES-041). A page of the other one goes on with a token for it, since
 * its refused call would otherwise not go again (SES-062).
 */
export async function inSameApplication(token: string): Promise<string> {
  const application = person?.application.id;
  return application && decodeToken(token)?.application.id !== application
    ? exchanged(token, application)
    : token;
}

/** A sign-in as another person must not send the first person's form in the second one's name. */
export function isSamePerson(token: string): boolean {
  const after = decodeToken(token);
  return !person || (after?.sub === person.sub && after.company.id === person.company.id);
}
