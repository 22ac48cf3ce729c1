/** Function for features that change a user: revokes the credentials of a user who loses rights or is removed. */
export { revokeAbove } from "./credentials.ts";
