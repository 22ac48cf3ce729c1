/** Functions of the operator's decisions that other features may call, and the command itself. */
export { operate } from "./command-line.ts";
export { changeCompanyOptions, readCompanyOptions } from "./company-options.ts";
export { readShowsNotices } from "./notice-store.ts";
export {
  announce,
  endNotice,
  listCurrentNotices,
  showNoticesInSandbox,
} from "./notices.ts";
export { requireCarriedRoutes } from "./routes.ts";
export { requireSecrets } from "./stored-secrets.ts";
export { WrongCommand } from "./usage.ts";
