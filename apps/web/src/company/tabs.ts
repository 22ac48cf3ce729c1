/** The tabs of 'Minha empresa', in their order (COM-001). One is shown once its page is there and it shows for the company. */
import { type CompanySettings, readCompanySettings } from "@malote/contracts/company";
import { call } from "../shell/call.ts";
import type { BeforeEnter } from "../shell/guards.ts";
import { pathOf, type RouteName } from "../shell/routes.ts";
import { may } from "../shell/session.ts";

interface CompanyTab {
  name: RouteName;
  label: string;
  shows?: (settings: CompanySettings | undefined) => boolean;
}

/** COM-004: invoices only where finance is shown. */
const showsInvoices = (settings: Pick<CompanySettings, "showFinanceInfo"> | undefined) =>
  settings?.showFinanceInfo === true;

export const companyTabs: readonly CompanyTab[] = [
  { name: "AdminCompanyDataPage", label: "Dados da empresa" },
  { name: "AdminUsersPage", label: "Usuários" },
  { name: "BillingPage", label: "Faturas", shows: showsInvoices },
  { name: "AdminLimitsPage", label: "Meus limites" },
  // Known in payments alone, where there are settings.
  { name: "AdminControlsPage", label: "Controles", shows: (settings) => settings !== undefined },
  {
    name: "AdminAuditTrailPage",
    label: "Trilha de auditoria",
    shows: (settings) => settings !== undefined,
  },
];

/** COM-004: the invoices' own address redirects to the company data where no finance info is shown. */
export const onlyWithInvoices: BeforeEnter = async (session) => {
  // COM-002: people who are no admins are refused, and by the guard behind this one.
  if (session.profile !== "admin") return undefined;
  // Known in payments alone; the other application would be refused at each visit.
  const settings = may(readCompanySettings, session)
    ? await call(readCompanySettings).catch(() => undefined)
    : undefined;
  return showsInvoices(settings) ? undefined : pathOf("AdminCompanyDataPage");
};
