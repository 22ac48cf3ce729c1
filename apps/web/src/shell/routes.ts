import type { Application } from "@malote/contracts/policy";
import type { GuardedPage, RouteAccess } from "./guards.ts";
import type { Session } from "./session.ts";

/** Address at which each area begins (SES-003). */
export const bases = {
  payments: "/pagamentos",
  receivables: "/recebimentos",
  contestations: "/contestacoes",
  validation: "/contacerta",
  account: "/minha-conta",
  company: "/minha-empresa",
  developer: "/area-do-desenvolvedor",
  arrival: "/auth",
  logout: "/logout",
  forbidden: "/acesso-negado",
} as const;

/** The home page is an area of its own, which no requirement names (decision 0057). */
const homeBase = "/inicio";

interface RouteRule {
  path: `/${string}`;
  access?: RouteAccess;
}

const adminsOnly = { allow: ["admin"] } as const satisfies RouteAccess;
const notAnalysts = { forbid: ["analyst"] } as const satisfies RouteAccess;
const infractions = { permission: "infractions_manage" } as const satisfies RouteAccess;

/**
 * Every named route (SES-004), with who may enter it, also before its screen exists: an old address or a saved link is
 * then refused as the screen will refuse it, and otherwise leads home.
 */
export const routes = {
  HomePage: { path: homeBase },
  PaymentsHome: { path: bases.payments },
  FirstStepsPage: { path: `${bases.payments}/primeiros-passos` },
  StatementPage: { path: `${bases.payments}/saldo` },
  ImportPage: { path: `${bases.payments}/importacao-de-planilha`, access: notAnalysts },
  BatchesPage: { path: `${bases.payments}/lotes` },
  IndicatorsPage: { path: `${bases.payments}/indicadores` },
  WaitingBatchesPage: { path: `${bases.payments}/lotes-aguardando-recebimento` },
  TransfersPage: { path: `${bases.payments}/transferencias` },
  BoletosPage: { path: `${bases.payments}/boletos` },
  ApprovalsPage: { path: `${bases.payments}/lotes/aprovacoes`, access: notAnalysts },
  ReceiversPage: { path: `${bases.payments}/recebedores` },
  PaymentsSettings: {
    path: `${bases.payments}/configuracoes`,
    access: adminsOnly,
  },
  PaymentsBankAccountsPage: { path: `${bases.payments}/configuracoes/dados-bancarios`, access: adminsOnly },
  PaymentsGeneralSettings: { path: `${bases.payments}/configuracoes/geral`, access: adminsOnly },
  ReceivablesHome: { path: bases.receivables },
  ReceivablesPage: { path: `${bases.receivables}/recebiveis` },
  PaymentLinkPage: { path: `${bases.receivables}/links-de-pagamento` },
  NewPaymentLinkPage: {
    path: `${bases.receivables}/links-de-pagamento/novo`,
    access: { ...notAnalysts, permission: "payment_link_generate" },
  },
  CardReceivablesPage: { path: `${bases.receivables}/cartao-de-credito` },
  ContestationsHome: { path: bases.contestations, access: infractions },
  InfractionsPage: { path: `${bases.contestations}/infracoes`, access: infractions },
  InfractionTermsPage: { path: `${bases.contestations}/infracoes/termos-de-uso`, access: infractions },
  InfractionPage: { path: `${bases.contestations}/infracoes/$infractionId`, access: infractions },
  ValidationHome: { path: bases.validation },
  ValidationsHome: { path: `${bases.validation}/validacoes` },
  ValidationPage: {
    path: `${bases.validation}/validacoes/nova`,
    access: { ...notAnalysts, permission: "contacerta_validation" },
  },
  ValidationHistoryPage: { path: `${bases.validation}/validacoes/historico` },
  AdminCompanyDataPage: { path: `${bases.company}/dados-da-empresa`, access: adminsOnly },
  AdminUsersPage: { path: `${bases.company}/usuarios`, access: adminsOnly },
  BillingPage: { path: `${bases.company}/faturas`, access: adminsOnly },
  AdminLimitsPage: { path: `${bases.company}/limites`, access: adminsOnly },
  AdminControlsPage: { path: `${bases.company}/controles`, access: adminsOnly },
  AdminAuditTrailPage: { path: `${bases.company}/trilha-de-auditoria`, access: adminsOnly },
  CompanyHome: { path: bases.company, access: adminsOnly },
  MyAccountHome: { path: bases.account },
  MyAccountAccountDataPage: { path: `${bases.account}/dados-da-conta` },
  MyAccountSecuritySettingsPage: { path: `${bases.account}/seguranca` },
  DeveloperHome: { path: bases.developer, access: notAnalysts },
  DeveloperAreaCredentialsPage: {
    path: `${bases.developer}/credenciais`,
    access: { ...notAnalysts, permission: "api_credentials_generate" },
  },
} as const satisfies Record<string, RouteRule>;

export type RouteName = keyof typeof routes;

/** Paths that only redirect, each to the route named here. */
export const redirects: Readonly<Partial<Record<RouteName, RouteName>>> = {
  PaymentsHome: "BatchesPage",
  PaymentsSettings: "PaymentsBankAccountsPage",
  ReceivablesHome: "ReceivablesPage",
  ContestationsHome: "InfractionsPage",
  ValidationHome: "ValidationsHome",
  ValidationsHome: "ValidationPage",
  CompanyHome: "AdminCompanyDataPage",
  MyAccountHome: "MyAccountAccountDataPage",
  DeveloperHome: "DeveloperAreaCredentialsPage",
};

/** Target of a redirect for this person: analysts, who may not validate, see the validations (SES-013). */
export const redirectOf = (name: RouteName, session: Session | undefined): RouteName | undefined =>
  name === "ValidationsHome" && session?.profile === "analyst" ? "ValidationHistoryPage" : redirects[name];

export const routeNames = Object.keys(routes) as RouteName[];

export const accessOf = (name: RouteName): RouteAccess | undefined => (routes[name] as RouteRule).access;

export type PathOf<Name extends RouteName> = (typeof routes)[Name]["path"];

export const pathOf = <Name extends RouteName>(name: Name): PathOf<Name> => routes[name].path;

/** Returns the address that opens this batch (BAT-023). */
export const batchAddress = (batchId: string): string => `${pathOf("BatchesPage")}?lote=${batchId}`;

const areas: readonly (readonly [base: string, application: Application])[] = [
  [homeBase, "payments"],
  [bases.payments, "payments"],
  [bases.receivables, "payments"],
  [bases.contestations, "payments"],
  [bases.validation, "validation"],
  [routes.AdminControlsPage.path, "payments"],
  [routes.AdminAuditTrailPage.path, "payments"],
];

const isWithin = (path: string, base: string) => path === base || path.startsWith(`${base}/`);

/** Each area belongs to one application (SES-006, SES-011, SES-012); the company's and the person's own to either. */
function applicationOf(path: string): Application | undefined {
  return areas.find(([base]) => isWithin(path, base))?.[1];
}

/** Facts about an address for the guards, whether or not it has a name. */
export function guardedPath(path: string, access?: RouteAccess): GuardedPage {
  const application = applicationOf(path);
  return {
    path,
    ...(application && { application }),
    // COM-003: open in either, but its invoices, controls and audit trail exist in payments alone.
    ...(isWithin(path, bases.company) && { preferred: "payments" }),
    ...(access && { access }),
  };
}

export const guardedRoute = (name: RouteName): GuardedPage => guardedPath(pathOf(name), accessOf(name));
