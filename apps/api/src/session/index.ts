/**
 * Functions of sign-in that other features may call: authentication, links to choose a password, hashes of secrets, and
 * counting of tries.
 */
export { createAuthenticate } from "./authenticate.ts";
export { requireIdentityConfirmed } from "./confirm.ts";
export { makePasswordLink } from "./password-link.ts";
export { deletePasswordLinks } from "./password-link-store.ts";
export { hashOfSecret } from "./secret-hash.ts";
export { endEverySession } from "./session-store.ts";
export { createReadCode } from "./step-up.ts";
export { beginTry, countUse, forgiveTry, networkOf, type Try } from "./throttle.ts";
export { removeTwoFactor } from "./two-factor.ts";
