import type { Application } from "@malote/contracts/policy";
import { authorize, logout } from "@malote/contracts/session";
import { call, onSessionRefused } from "./call.ts";
import {
  clearToken,
  decodeToken,
  readSession,
  readToken,
  type Session,
  storeToken,
  subscribeToSession,
} from "./session.ts";
import { askToSignInAgain } from "./sign-in-again-store.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

/** A token is exchanged when less than this is left of it, and only while somebody uses the page. */
const renewWhenLeftMs = 10 * 60_000;
const lookEveryMs = 60_000;
const inUseWithinMs = 15 * 60_000;

let lastUseAt = Date.now();

export type RenewalNeed = "none" | "renew" | "ended";

/** Pure: what to do with a token at this moment. */
export function renewalNeed(facts: { expiresAt: number; now: number; lastUseAt: number }): RenewalNeed {
  const leftMs = facts.expiresAt - facts.now;
  if (leftMs <= 0) return "ended";
  const inUse = facts.now - facts.lastUseAt <= inUseWithinMs;
  return leftMs <= renewWhenLeftMs && inUse ? "renew" : "none";
}

/** Exchanges the stored token for a fresh one, or for one of another application (SES-036, SES-037). */
export async function exchangeToken(scope?: Application): Promise<void> {
  await oneTabAtATime(async () => {
    const token = readToken();
    if (!token) throw new Error("no token to exchange");
    const body = { grant_type: "refresh_token", refresh_token: token, ...(scope && { scope }) } as const;
    const answer = await call(authorize, { body });
    if (!("access_token" in answer)) throw new Error("an exchange never asks for a second factor");
    storeToken(answer.access_token);
  });
}

/** Each token exchanges once; without the lock two tabs would spend the same one. */
function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  return navigator.locks ? navigator.locks.request("malote.session", work) : work();
}

async function renewIfNeeded(): Promise<void> {
  const session = readSession();
  if (!session) return;
  if (renewalNeed({ expiresAt: session.exp * 1000, now: Date.now(), lastUseAt }) !== "renew") return;
  // A failed renewal is no news yet: the token still works, and the next look tries again.
  await exchangeToken().catch(() => undefined);
}

let rescue: Promise<boolean> | undefined;

/**
 * After a 401. Another tab may have renewed meanwhile; else, with something typed on the page, the person signs in again
 * over it and nothing is lost; else the way leads to the login site (SES-062).
 */
async function rescueSession(refusedToken: string | null): Promise<boolean> {
  const current = readToken();
  if (current && current !== refusedToken) return true;
  rescue ??= signInAgainOrLeave().finally(() => {
    rescue = undefined;
  });
  return rescue;
}

async function signInAgainOrLeave(): Promise<boolean> {
  if (hasUnsavedWork()) return askToSignInAgain();
  await leaveToLogin();
  return false;
}

let loginUrl = "/entrar";
let goTo = (address: string): void => location.assign(address);

/** Where people sign in; the brand of this origin says (SES-024). */
export function setLoginUrl(url: string): void {
  loginUrl = url;
}

export function setNavigationToLogin(go: (address: string) => void): void {
  goTo = go;
}

/** SES-039: forgets the token and goes to the login site. */
export async function leaveToLogin(): Promise<void> {
  clearToken();
  goTo(loginUrl);
}

const farewellMaxMs = 3_000;

/** `/logout`: the server ends the session everywhere; without an answer the browser forgets it all the same. */
export async function logOut(): Promise<void> {
  if (readToken()) await call(logout, { signal: AbortSignal.timeout(farewellMaxMs) }).catch(() => undefined);
  await leaveToLogin();
}

/** Starts silent renewal and the answer to refused calls. Answers how to stop. */
export function keepSession(): () => void {
  onSessionRefused(rescueSession);
  const remember = () => {
    person = readSession() ?? person;
  };
  remember();
  const forget = subscribeToSession(remember);
  const used = () => {
    lastUseAt = Date.now();
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

/** Whoever used this page last; kept when another tab logs out while something is still typed here. */
let person: Session | undefined;

/** Signing in again as somebody else must not send the first person's form in the second one's name. */
export function isSamePerson(token: string): boolean {
  const after = decodeToken(token);
  return !person || (after?.sub === person.sub && after.company.id === person.company.id);
}
