/** Functions of credentials and of the reference of the API that others may call. */
export { revokeAbove } from "./credentials.ts";
export { developerRoutes } from "./reference.ts";
