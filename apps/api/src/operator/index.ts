/** What other features need of the operator's decisions. */
export {
  changeCompanyOptions,
  listCompanies,
  type NamedCompany,
  readCompanyOptions,
} from "./company-options.ts";
export {
  announce,
  currentNotices,
  endNotice,
  showNoticesInSandbox,
  showsNoticesInSandbox,
} from "./notices.ts";
