/** What other features need of credentials: those of a person who loses rights or is removed are revoked. */
export { revokeAbove } from "./credentials.ts";
