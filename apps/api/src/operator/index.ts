/** Functions of the operator's decisions that other features may call. */
export { changeCompanyOptions, readCompanyOptions } from "./company-options.ts";
export {
  announce,
  currentNotices,
  endNotice,
  showNoticesInSandbox,
  showsNoticesInSandbox,
} from "./notices.ts";
