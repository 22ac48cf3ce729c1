import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { type Invoice, readHasOverdue, readHasPayRequest, readPayRequest } from "@malote/contracts/billing";
import { readCompany, readCompanySettings } from "@malote/contracts/company";
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { batches } from "../batches/feature.ts";
import { companySettingsQuery } from "../shell/balance.ts";
import { forbiddenPath } from "../shell/guards.ts";
import { fakeServer } from "../testing/fake-server.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { validation } from "../testing/token.ts";
import { billing } from "./feature.ts";

const features = [batches, { ...billing, pages: billing.pages.map((one) => ({ ...one, before: [] })) }];
const overdueText = "Você está com faturas em atraso... Veja suas faturas e regularize, evitando bloqueios.";
const closed: Invoice = {
  id: "0198f000-0000-7000-8000-0000000000b1",
  billing_period_start: "2026-10-01",
  amount_of_transfers: 1_240,
  total: 607_60,
  status: "open",
  due_date: "2026-11-10",
  electronic_invoice_url: null,
  ticket_url: null,
  has_report: true,
};

interface Company {
  showFinanceInfo?: boolean;
  isLate?: boolean;
  unpaid?: Invoice | null;
  status?: "active" | "blocked";
}

/** Opens the batches page of a company, with all its facts loaded. */
async function open(
  { showFinanceInfo = true, isLate = false, unpaid = null, status = "active" }: Company,
  session = {},
  address = "/pagamentos/lotes",
) {
  fakeServer.on(readHasOverdue, () => ({ data: isLate }));
  fakeServer.on(readHasPayRequest, () => ({ data: unpaid !== null }));
  fakeServer.on(readPayRequest, () => ({ data: unpaid }));
  fakeServer.on(readCompany, () => ({
    name: "Aurora",
    cpfCnpj: "27418639000148",
    phone: null,
    address: null,
    logo: null,
    status,
  }));
  const app = renderApp(address, { features, session });
  fakeServer.on(readCompanySettings, () => ({ ...buildCompanySettings(), showFinanceInfo }));
  await screen.findByRole("heading", { name: address === forbiddenPath ? /^Você não tem/ : "Seus lotes" });
  return app;
}
/** Waits for all answers, so that a test of an absence cannot pass because the banner is only late. */
const everythingRead = ({ queryClient }: Awaited<ReturnType<typeof open>>) =>
  waitFor(() => {
    expect(asked()).toBeGreaterThan(0);
    expect(queryClient.isFetching()).toBe(0);
  });
const asked = () => fakeServer.calls(readHasOverdue).length + fakeServer.calls(readHasPayRequest).length;

beforeEach(() => {
  fakeServer.on(listBatches, () => ({
    data: [],
    summary: { count: 0, value: 0 },
    metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
  }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
});

describe("the red banner", () => {
  it("SHL-045 SHL-046 warns an admin of late invoices on any page, and links to them", async () => {
    await open({ isLate: true });
    const banner = (await screen.findByText(overdueText)).closest("[data-tone]");
    expect(banner?.getAttribute("data-tone")).toBe("red");
    expect(screen.getByRole("link", { name: "Ver faturas" }).getAttribute("href")).toBe(
      "/minha-empresa/faturas",
    );
  });

  it("SHL-045 SHL-046 warns an admin in the validation application, too", async () => {
    const session = { application: validation, allowed_applications: [validation] };
    await open({ isLate: true }, session, forbiddenPath);
    await screen.findByText(overdueText);
    screen.getByRole("link", { name: "Ver faturas" });
  });

  it("SHL-046 is hidden when no invoice is late", async () => {
    const app = await open({});
    await everythingRead(app);
    expect(asked()).toBe(2);
    expect(screen.queryByText(overdueText)).toBeNull();
  });

  it("SHL-046 is hidden in a company that is blocked", async () => {
    const app = await open({ isLate: true, status: "blocked" });
    await everythingRead(app);
    expect(fakeServer.calls(readCompany)).toHaveLength(1);
    expect(screen.queryByText(overdueText)).toBeNull();
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-046 SES-051 an %s sees neither banner, and neither is requested",
    async (profile) => {
      const app = await open({ isLate: true, unpaid: closed }, { profile });
      await settled(app, companySettingsQuery.queryKey);
      expect(screen.queryByText(overdueText)).toBeNull();
      expect(screen.queryByText(/^Faturamento de/)).toBeNull();
      expect(asked()).toBe(0);
    },
  );
});

describe("the banner of a closed billing", () => {
  it("BAT-015 shows an admin what is due, and links to it", async () => {
    await open({ unpaid: closed });
    await screen.findByText("Faturamento de 10/2026 fechado");
    screen.getByText("1.240 pagamentos, R$ 607,60, vence em 10/11/2026.");
    expect(screen.getByRole("link", { name: "Ver fatura" }).getAttribute("href")).toBe(
      "/minha-empresa/faturas",
    );
  });

  it("BAT-015 reports that the day of a late invoice has passed", async () => {
    await open({ unpaid: { ...closed, status: "overdue" } });
    await screen.findByText("1.240 pagamentos, R$ 607,60, venceu em 10/11/2026.");
  });

  it("BAT-015 is hidden when nothing is due", async () => {
    await open({});
    await waitFor(() => expect(asked()).toBe(2));
    expect(screen.queryByText(/^Faturamento de/)).toBeNull();
    expect(fakeServer.calls(readPayRequest)).toHaveLength(0);
  });

  it("BAT-015 SHL-046 a company that hides its finance info does not request the invoice, and still shows what is late", async () => {
    await open({ showFinanceInfo: false, unpaid: closed, isLate: true });
    await waitFor(() => expect(fakeServer.calls(readCompanySettings).length).toBeGreaterThan(0));
    expect(screen.queryByText(/^Faturamento de/)).toBeNull();
    expect(fakeServer.calls(readHasPayRequest)).toHaveLength(0);
    // SHL-046 applies without the finance info.
    await screen.findByText(/Você está com faturas em atraso/);
  });
});
