/** Tabs of 'Minha empresa', in their order (COM-001). A tab shows when its page exists and applies to the company. */
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

/** COM-004: invoices show only where finance info does. */
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

/** COM-004: the invoices redirect to the company data when finance info is hidden. */
export const onlyWithInvoices: BeforeEnter = async (session) => {
  // COM-002: the guard behind this one refuses people who are no admins.
  if (session.profile !== "admin") return undefined;
  // Only payments has settings; the other application's call would be refused at each visit.
  const settings = may(readCompanySettings, session)
    ? await call(readCompanySettings).catch(() => undefined)
    : undefined;
  return showsInvoices(settings) ? undefined : pathOf("AdminCompanyDataPage");
};
