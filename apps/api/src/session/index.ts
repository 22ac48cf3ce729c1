/** What others need of signing in: who is calling, links to choose a password, and how a credential's secret is kept. */
export { createAuthenticate } from "./authenticate.ts";
export { makePasswordLink } from "./password-link.ts";
export { endEverySession, forgetOldSessions } from "./session-store.ts";
export { hashOfSecret } from "./sign-in.ts";
