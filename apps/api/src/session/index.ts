/** What others need of signing in: who is calling, links to choose a password, how a credential's secret is
 * kept, and how tries are counted. */
export { createAuthenticate } from "./authenticate.ts";
export { makePasswordLink } from "./password-link.ts";
export { endEverySession, forgetOldSessions } from "./session-store.ts";
export { hashOfSecret } from "./sign-in.ts";
export { beginTry } from "./throttle.ts";
