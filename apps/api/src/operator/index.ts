/** Functions of the operator's decisions that other features may call, and the command itself. */
export { operate } from "./command-line.ts";
export { changeCompanyOptions, readCompanyOptions } from "./company-options.ts";
export { showsNoticesInSandbox } from "./notice-store.ts";
export {
  announce,
  currentNotices,
  endNotice,
  showNoticesInSandbox,
} from "./notices.ts";
export { requireCarriedRoutes } from "./routes.ts";
export { expectSecrets } from "./stored-secrets.ts";
export { WrongCommand } from "./usage.ts";
