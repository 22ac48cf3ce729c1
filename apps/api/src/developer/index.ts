/** What others need of credentials: those of somebody who may do less, or is gone, end. */
export { revokeAbove } from "./credentials.ts";
