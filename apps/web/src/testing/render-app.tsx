import { readHasOverdue } from "@malote/contracts/billing";
import {
  type CompanySettings,
  createCheckpoint,
  listAccountTypes,
  listPaymentAccounts,
  readBank,
  readCompanySettings,
  readDefaultPaymentMethod,
} from "@malote/contracts/company";
import { readPendingInfractions } from "@malote/contracts/contestations";
import { countApprovalRequests, listApprovalRequests } from "@malote/contracts/controls";
import { listFailureNotices } from "@malote/contracts/failures";
import { readPayinHistory, readPaymentHistory } from "@malote/contracts/history";
import { countWork, readHome } from "@malote/contracts/home";
import { listPixKeys } from "@malote/contracts/pix-keys";
import { searchReceivers } from "@malote/contracts/receivers";
import { type Brand, readBrand, type TokenContent } from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import { readStatusPage } from "@malote/contracts/status-page";
import { readBlacklist } from "@malote/contracts/transfers";
import { accountTypesAt } from "@malote/domain/bank-account";
import { findBankByCode, findBankByIspb } from "@malote/domain/banks";
import { defaultTransferMethod } from "@malote/domain/transfer";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { features as allFeatures } from "../entries/features.ts";
import type { Feature } from "../shell/feature.ts";
import { leaveToLoginOfBrand } from "../shell/login-site.ts";
import { createQueryClient } from "../shell/query-client.ts";
import { createAppRouter } from "../shell/router.tsx";
import { storeToken } from "../shell/session.ts";
import { setNavigationToLogin } from "../shell/session-keeper.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { fakeServer, refuse } from "./fake-server.ts";
import { emptyHistory } from "./history.ts";
import { buildPixKey } from "./pix-keys.ts";
import { buildToken } from "./token.ts";

interface AppOptions {
  /** null: not signed in. */
  session?: Partial<TokenContent> | null;
  features?: readonly Feature[];
  /** Changes to the usual settings of the company. */
  settings?: Partial<CompanySettings>;
  /** Changes to the usual brand of this origin. */
  brand?: Partial<Brand>;
}

/** Renders the whole application at one address, with the answers that the frame always needs. */
export function renderApp(
  address: string,
  { session = {}, features = allFeatures, settings = {}, brand = {} }: AppOptions = {},
) {
  // Banks are the same in every test.
  fakeServer.byDefault(readBank, ({ params }) => {
    const bank = findBankByIspb(params["id"] ?? "");
    return bank ? { id: bank.ispb, ...bank, image: null } : refuse("not_found");
  });
  fakeServer.byDefault(listAccountTypes, ({ params }) => ({
    data: accountTypesAt(findBankByIspb(params["id"] ?? "")?.code ?? null),
  }));
  fakeServer.byDefault(readDefaultPaymentMethod, ({ query }) => ({
    payment_method: defaultTransferMethod(findBankByCode(query["bankCode"] ?? "")?.ispb ?? null),
  }));
  fakeServer.on(readBalance, () => ({ value: 4_821_037, waiting_value: 1_234_055 }));
  fakeServer.on(readCompanySettings, () => buildCompanySettings(settings));
  fakeServer.on(readBrand, () => ({
    id: "malote" as const,
    assetsPath: "/",
    name: "Malote",
    showStatusMenu: false,
    loginUrl: "/entrar",
    appUrl: "",
    statusUrl: null,
    supportUrl: null,
    supportChatUrl: null,
    twoFactorNotice: "A autenticação em 2 fatores precisa estar ativada até 29/07.",
    tokenCookie: "malote_token",
    reportsErrors: false,
    blogUrl: null,
    privacyUrl: null,
    notice: null,
    sandbox: true,
    ...brand,
  }));
  fakeServer.byDefault(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.byDefault(readHasOverdue, () => ({ data: false }));
  fakeServer.byDefault(readBlacklist, () => ({ data: [] }));
  fakeServer.byDefault(readStatusPage, () => ({ incident: null, maintenance: null }));
  fakeServer.byDefault(listPaymentAccounts, () => ({ data: [] }));
  fakeServer.byDefault(listPixKeys, () => ({ data: [buildPixKey()] }));
  fakeServer.byDefault(readPendingInfractions, () => ({ quantity: 0 }));
  fakeServer.byDefault(listApprovalRequests, () => ({ data: [], open_count: 0 }));
  fakeServer.byDefault(countApprovalRequests, () => ({ count: 0 }));
  fakeServer.byDefault(countWork, () => ({ count: 0 }));
  fakeServer.byDefault(readHome, () => ({ work: [], count: 0, upcoming: [], paying: [] }));
  fakeServer.byDefault(listFailureNotices, () => ({ data: [], count: 0 }));
  fakeServer.byDefault(searchReceivers, () => ({ data: [] }));
  fakeServer.byDefault(readPaymentHistory, () => emptyHistory);
  fakeServer.byDefault(readPayinHistory, () => emptyHistory);
  if (session) storeToken(buildToken(session));
  const left: string[] = [];
  setNavigationToLogin((to) => left.push(to));
  const history = createMemoryHistory({ initialEntries: [address] });
  const queryClient = createQueryClient();
  const router = createAppRouter(features, queryClient, history);
  leaveToLoginOfBrand(queryClient);
  const view = render(
    <QueryClientProvider client={queryClient}>
      <MaloteTheme>
        <RouterProvider router={router} />
      </MaloteTheme>
    </QueryClientProvider>,
  );
  return { ...view, queryClient, router, history, address: () => history.location.href, leftTo: left };
}

export function buildCompanySettings(given: Partial<CompanySettings> = {}) {
  return {
    acceptContaCertaSuggestions: false,
    validationAccount: false,
    accountLimits: { TED: 1, PIX: 1, TEV: 1, BILLET: 1 },
    hasIntegrationId: false,
    blockWithdrawForOperator: false,
    showFinanceInfo: false,
    hasBoletoCharge: false,
    hasCardCharge: false,
    uses_basic_validation: true,
    uses_micro_deposit: false,
    replyToEmail: null,
    hasApiAccess: false,
    apiAccessToken: null,
    emailsPayees: false,
    operatorsMayCorrect: true,
    operatorsMayGiveBack: true,
    asksForApprovals: false,
    approvesBatches: false,
    publicEntityNeedsCaixa: false,
    ...given,
  };
}
