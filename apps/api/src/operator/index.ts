/** Functions of the operator's decisions that other features may call. */
export { changeCompanyOptions, readCompanyOptions } from "./company-options.ts";
export { showsNoticesInSandbox } from "./notice-store.ts";
export {
  announce,
  currentNotices,
  endNotice,
  showNoticesInSandbox,
} from "./notices.ts";
