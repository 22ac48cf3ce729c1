import { listPaymentAccounts, readCompanySettings } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import { authorize } from "@malote/contracts/session";
import { readBlacklist } from "@malote/contracts/transfers";
import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { paymentAccountsQuery } from "../batches/api.ts";
import { batches } from "../batches/feature.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { settled } from "../testing/settled.ts";
import { buildToken, payments, validation } from "../testing/token.ts";
import { blacklistQuery } from "../transfers/api.ts";
import { companySettingsQuery } from "./balance.ts";
import { page } from "./feature.ts";

const group = [readBlacklist, readCompanySettings, listPaymentAccounts];
const asked = () => group.map((call) => fakeServer.calls(call).length);
const home = "/pagamentos/lotes";
const title = () => screen.findByRole("heading", { level: 1, name: "Seus lotes" });

beforeEach(() => serveBatch({ batch: buildOpenBatch(), transfers: [], balance: 0, filledFirstSteps: true }));

function Read({ query }: { query: typeof paymentAccountsQuery }) {
  const { data } = useQuery(query);
  return <h1>{data ? "Lido" : "Carregando"}</h1>;
}

describe("entering the payments app", () => {
  it("SES-010 requests blocked documents, settings and accounts once", async () => {
    const app = renderApp(home);
    await title();
    await waitFor(() => expect(asked()).toEqual([1, 1, 1]));
    await app.router.navigate({ href: "/acesso-negado" });
    await app.router.navigate({ href: home });
    await title();
    expect(asked()).toEqual([1, 1, 1]);
  });

  it.each([
    ["the blocked documents", readBlacklist],
    ["the accounts", listPaymentAccounts],
    ["the settings", readCompanySettings],
  ])("SES-010 reports in a toast that %s failed, and opens the screen all the same", async (_what, call) => {
    renderApp(home);
    fakeServer.on(call, () => refuse("too_many_requests"));
    await screen.findByText(/Muitas chamadas em pouco tempo/);
    await title();
    await screen.findByText("Folha 11/2026");
  });

  it("SES-010 SES-067 reports a failure without a code of ours in the words of the preload, in red", async () => {
    renderApp(home);
    fakeServer.on(listPaymentAccounts, () => refuseWithoutCode());
    const said = await screen.findByText("Não foi possível carregar os dados da empresa.");
    expect(said.closest("[data-tone]")?.getAttribute("data-tone")).toBe("bad");
    await title();
  });

  it("SES-010 reports each of two failures with causes of their own", async () => {
    renderApp(home);
    fakeServer.on(readBlacklist, () => refuse("too_many_requests"));
    fakeServer.on(listPaymentAccounts, () => refuseWithoutCode());
    await screen.findByText(/Muitas chamadas em pouco tempo/);
    await screen.findByText("Não foi possível carregar os dados da empresa.");
  });

  it("SES-010 reports three failures of one cause once", async () => {
    renderApp(home);
    for (const call of group) fakeServer.on(call, () => refuse("too_many_requests"));
    await title();
    await waitFor(() => expect(screen.getAllByText(/Muitas chamadas em pouco tempo/)).toHaveLength(1));
  });

  it.each([
    ["the blocked documents", readBlacklist, blacklistQuery, { data: [] }],
    ["the settings", readCompanySettings, companySettingsQuery, buildCompanySettings()],
    ["the accounts", listPaymentAccounts, paymentAccountsQuery, { data: [] }],
  ] as const)(
    "SES-010 the first screen that needs %s requests them again when they failed",
    async (_what, read, query, answer) => {
      const needy = {
        pages: [
          page("StatementPage", {
            title: "Contas",
            load: async () => ({ default: () => <Read query={query as typeof paymentAccountsQuery} /> }),
          }),
        ],
      };
      const app = renderApp(home, { features: [batches, needy] });
      fakeServer.on<Contract>(read, () => refuse("too_many_requests"));
      await screen.findByText(/Muitas chamadas em pouco tempo/);
      await title();
      await settled(app);
      const failed = fakeServer.calls(read).length;
      fakeServer.on<Contract>(read, () => answer);
      await app.router.navigate({ href: "/pagamentos/saldo" });
      await screen.findByRole("heading", { name: "Lido" });
      expect(fakeServer.calls(read)).toHaveLength(failed + 1);
    },
  );

  it("SES-010 nothing is requested outside of it, and everything on coming in from there", async () => {
    const allowed_applications = [payments, validation];
    const next = buildToken({ allowed_applications, jti: "0198f000-0000-7000-8000-0000000000ff" });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    const session = { application: validation, allowed_applications };
    const app = renderApp("/acesso-negado", { session, features: [batches] });
    await screen.findByRole("heading", { level: 1 });
    expect(asked()).toEqual([0, 0, 0]);
    await app.router.navigate({ href: home });
    await title();
    await waitFor(() => expect(asked()).toEqual([1, 1, 1]));
  });
});
