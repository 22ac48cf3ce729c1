/**
 * What other features need of sign-in: who is calling, links to choose a password, how a credential's secret is
 * stored, and how tries are counted.
 */
export { createAuthenticate } from "./authenticate.ts";
export { expectConfirmed } from "./confirm.ts";
export { makePasswordLink } from "./password-link.ts";
export { hashOfSecret } from "./secret-hash.ts";
export { endEverySession } from "./session-store.ts";
export { createReadCode } from "./step-up.ts";
export { beginTry, forgiveTry, networkOf, type Try } from "./throttle.ts";
export { removeTwoFactor } from "./two-factor.ts";
export { spendStep } from "./user-store.ts";
