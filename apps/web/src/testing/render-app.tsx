import { type CompanySettings, listPaymentAccounts, readCompanySettings } from "@malote/contracts/company";
import { readPendingInfractions } from "@malote/contracts/contestations";
import { listPixKeys } from "@malote/contracts/pix-keys";
import { searchReceivers } from "@malote/contracts/receivers";
import { readBrand, type TokenContent } from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import { readBlacklist } from "@malote/contracts/transfers";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { features as allFeatures } from "../entries/features.ts";
import type { Feature } from "../shell/feature.ts";
import { createQueryClient } from "../shell/query-client.ts";
import { createAppRouter } from "../shell/router.tsx";
import { storeToken } from "../shell/session.ts";
import { setNavigationToLogin } from "../shell/session-keeper.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { fakeServer } from "./fake-server.ts";
import { buildPixKey } from "./pix-keys.ts";
import { buildToken } from "./token.ts";

interface AppOptions {
  /** null: nobody is signed in. */
  session?: Partial<TokenContent> | null;
  features?: readonly Feature[];
  /** What the company has set, beside the usual. */
  settings?: Partial<CompanySettings>;
}

/** The whole application at one address, with the answers the frame always needs. */
export function renderApp(
  address: string,
  { session = {}, features = allFeatures, settings = {} }: AppOptions = {},
) {
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
    blogUrl: null,
    privacyUrl: null,
    notice: null,
    sandbox: true,
  }));
  fakeServer.byDefault(readBlacklist, () => ({ data: [] }));
  fakeServer.byDefault(listPaymentAccounts, () => ({ data: [] }));
  fakeServer.byDefault(listPixKeys, () => ({ data: [buildPixKey()] }));
  fakeServer.byDefault(readPendingInfractions, () => ({ quantity: 0 }));
  fakeServer.byDefault(searchReceivers, () => ({ data: [] }));
  if (session) storeToken(buildToken(session));
  const left: string[] = [];
  setNavigationToLogin((to) => left.push(to));
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(features, history);
  const queryClient = createQueryClient();
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
    requiresOtherApprover: false,
    publicEntityNeedsCaixa: false,
    ...given,
  };
}
