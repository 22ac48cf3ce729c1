/** What others need of signing in: who is calling, and how a credential's secret is kept. */
export { createAuthenticate } from "./authenticate.ts";
export { forgetOldSessions } from "./session-store.ts";
export { hashOfSecret } from "./sign-in.ts";
