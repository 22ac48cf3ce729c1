import { listAuditActors, listAuditTrail } from "@malote/contracts/audit-trail";
import { listInvoices, readHasPayRequest } from "@malote/contracts/billing";
import {
  readCheckpoint,
  readCompany,
  readCompanySettings,
  readTransferLimits,
} from "@malote/contracts/company";
import { readControls } from "@malote/contracts/controls";
import { readLimits } from "@malote/contracts/limits";
import { authorize } from "@malote/contracts/session";
import { listUsers } from "@malote/contracts/users";
import { readValidationCompany } from "@malote/contracts/validation";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { type Feature, page } from "../shell/feature.ts";
import { forbiddenPath } from "../shell/guards.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { buildToken, payments, validation } from "../testing/token.ts";
import { company } from "./feature.ts";
import { CompanyFrame, onlyWithInvoices } from "./index.ts";

const base = "/minha-empresa";
/** The invoices page belongs to another feature. */
const invoices: Feature = {
  pages: [
    page("BillingPage", {
      title: "Faturas",
      before: [onlyWithInvoices],
      load: async () => ({
        default: () => (
          <CompanyFrame subtitle="As faturas.">
            <p>As faturas da empresa</p>
          </CompanyFrame>
        ),
      }),
    }),
  ],
};
const own = new Set(company.pages.map(({ name }) => name));
const others = (["AdminUsersPage", "AdminLimitsPage"] as const).filter((name) => !own.has(name));
const features = [company, invoices, placeholderScreens("BatchesPage", ...others)];
const paths = ["dados-da-empresa", "usuarios", "faturas", "limites"].map((path) => `${base}/${path}`);

const withInvoices = (showFinanceInfo: boolean) =>
  fakeServer.on(readCompanySettings, () => ({ ...buildCompanySettings(), showFinanceInfo }));
const tabs = () => within(screen.getByRole("navigation", { name: "Minha empresa" })).getAllByRole("link");
const forbidden = () =>
  screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });

beforeEach(() => {
  const data = {
    name: "Aurora",
    cpfCnpj: "27418639000148",
    address: null,
    phone: null,
    logo: null,
    status: "active" as const,
  };
  fakeServer.on(readCompany, () => data);
  fakeServer.on(readValidationCompany, () => data);
  fakeServer.keepWaiting(readTransferLimits);
});

describe("Minha empresa", () => {
  it("COM-001 is one page with four tabs, and its base path opens the company data", async () => {
    const app = renderApp(base, { features });
    withInvoices(true);
    await screen.findByRole("heading", { name: "Minha empresa", level: 1 });
    expect(app.address()).toBe(`${base}/dados-da-empresa`);
    await waitFor(() =>
      expect(tabs().map((tab) => [tab.textContent, tab.getAttribute("href")])).toEqual([
        ["Dados da empresa", paths[0]],
        ["Usuários", paths[1]],
        ["Faturas", paths[2]],
        ["Meus limites", paths[3]],
      ]),
    );
    expect(tabs().map((tab) => tab.getAttribute("aria-current"))).toEqual(["page", null, null, null]);
  });

  it("COM-001 adds the tabs of decisions 0030 and 0041 after them, in payments alone", async () => {
    const four = ["Dados da empresa", "Usuários", "Faturas", "Meus limites"];
    const app = renderApp(paths[0] ?? "", { settings: { showFinanceInfo: true } });
    await waitFor(() =>
      expect(tabs().map(({ textContent }) => textContent)).toEqual([
        ...four,
        "Controles",
        "Trilha de auditoria",
      ]),
    );
    app.unmount();
    renderApp(paths[0] ?? "", { session: { application: validation, allowed_applications: [validation] } });
    await screen.findByLabelText("CNPJ");
    expect(tabs().map(({ textContent }) => textContent)).toEqual(four.filter((tab) => tab !== "Faturas"));
  });

  it.each([
    ["dados-da-empresa", "Dados da empresa"],
    ["usuarios", "Usuários"],
    ["faturas", "Faturas"],
    ["limites", "Meus limites"],
    ["controles", "Controles"],
    ["trilha-de-auditoria", "Trilha de auditoria"],
  ])(
    "COM-001 its page %s has the same title and tabs, with its own as the current one",
    async (path, own) => {
      for (const call of [readLimits, listUsers, listInvoices, readControls, listAuditTrail, listAuditActors])
        fakeServer.keepWaiting(call);
      fakeServer.on(readHasPayRequest, () => ({ data: false }));
      fakeServer.on(readCheckpoint, () => ({ exists: true }));
      const app = renderApp("/acesso-negado", { settings: { showFinanceInfo: true } });
      await forbidden();
      await app.router.navigate({ href: `${base}/${path}` });
      await screen.findByRole("heading", { name: "Minha empresa", level: 1 });
      await waitFor(() => expect(tabs()).toHaveLength(6));
      const current = tabs().filter((tab) => tab.getAttribute("aria-current") === "page");
      expect(current.map(({ textContent }) => textContent)).toEqual([own]);
      expect(app.address()).toBe(`${base}/${path}`);
    },
  );

  it("COM-003 has the same tabs after a visit to the other application", async () => {
    const next = buildToken({ allowed_applications: [payments, validation] });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    renderApp(paths[0] ?? "", {
      settings: { showFinanceInfo: true },
      session: { application: validation, allowed_applications: [payments, validation] },
    });
    await waitFor(() => expect(tabs()).toHaveLength(6));
    expect(fakeServer.calls(authorize).map(({ body }) => body)).toMatchObject([{ scope: "payments" }]);
  });

  it.each(["controles", "trilha-de-auditoria"])(
    "COM-003 refuses the page %s of payments to people with the other application alone",
    async (page) => {
      const session = { application: validation, allowed_applications: [validation] };
      const app = renderApp(`${base}/${page}`, { session });
      await forbidden();
      expect(app.address()).toBe(forbiddenPath);
    },
  );

  it.each(["operator", "analyst"] as const)("COM-002 SES-051 refuses every tab to an %s", async (profile) => {
    for (const address of [base, ...paths]) {
      const app = renderApp(address, { features, session: { profile } });
      withInvoices(true);
      await forbidden();
      expect(app.address()).toBe(forbiddenPath);
      app.unmount();
    }
  });

  it.each([payments, validation])("COM-003 opens in the application %o", async (application) => {
    renderApp(base, { features, session: { application, allowed_applications: [application] } });
    await screen.findByRole("heading", { name: "Minha empresa", level: 1 });
  });

  it("COM-003 needs a session", async () => {
    for (const address of [base, ...paths]) {
      const app = renderApp(address, { features, session: null });
      await waitFor(() => expect(app.leftTo[0]).toMatch(/^\/entrar\?/));
      app.unmount();
    }
  });

  it("COM-004 SES-051 an admin of a company that shows finance info sees the invoices", async () => {
    const user = userEvent.setup();
    const app = renderApp(base, { features });
    withInvoices(true);
    await user.click(await screen.findByRole("link", { name: "Faturas" }));
    await screen.findByText("As faturas da empresa");
    expect(app.address()).toBe(`${base}/faturas`);
  });

  it.each([
    ["the company shows no finance info", () => withInvoices(false)],
    [
      "it is unknown whether the company shows it",
      () => fakeServer.on(readCompanySettings, () => refuse("internal")),
    ],
  ])("COM-004 the invoices redirect to the company data when %s", async (_, answer) => {
    const app = renderApp("/acesso-negado", { features });
    await forbidden();
    answer();
    await app.router.navigate({ href: `${base}/faturas` });
    await screen.findByLabelText("CNPJ");
    expect(app.address()).toBe(`${base}/dados-da-empresa`);
  });

  it("COM-004 requests nothing that would be refused to an admin in the other application", async () => {
    const app = renderApp(`${base}/faturas`, {
      features,
      session: { application: validation, allowed_applications: [validation] },
    });
    await screen.findByLabelText("CNPJ");
    expect(app.address()).toBe(`${base}/dados-da-empresa`);
    expect(fakeServer.calls(readCompanySettings)).toEqual([]);
  });

  it("COM-004 shows no invoices tab without finance info", async () => {
    renderApp(base, { features });
    withInvoices(false);
    await screen.findByLabelText("CNPJ");
    await waitFor(() => expect(fakeServer.calls(readCompanySettings)).not.toHaveLength(0));
    expect(tabs().map((tab) => tab.textContent)).toEqual(["Dados da empresa", "Usuários", "Meus limites"]);
  });
});

describe("menus", () => {
  beforeEach(() => withInvoices(false));

  it("SHL-034 the profile menu links an admin here", async () => {
    const user = userEvent.setup();
    const app = renderApp("/acesso-negado", { features });
    await user.click(await screen.findByRole("button", { name: "Menu de Helena Prado" }));
    await user.click(await screen.findByRole("menuitem", { name: "Minha empresa" }));
    await screen.findByRole("heading", { name: "Minha empresa", level: 1 });
    expect(app.address()).toBe(`${base}/dados-da-empresa`);
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-034 the profile menu hides the entry from an %s",
    async (profile) => {
      const user = userEvent.setup();
      renderApp("/acesso-negado", { features, session: { profile } });
      await user.click(await screen.findByRole("button", { name: "Menu de Helena Prado" }));
      await screen.findByRole("menuitem", { name: "Sair" });
      expect(screen.queryByRole("menuitem", { name: "Minha empresa" })).toBeNull();
    },
  );

  it("SHL-025 SHL-026 the side menu links an admin here", async () => {
    const user = userEvent.setup();
    const app = renderApp("/acesso-negado", { features });
    await user.click(await screen.findByRole("link", { name: "Minha empresa" }));
    await screen.findByRole("heading", { name: "Minha empresa", level: 1 });
    expect(app.address()).toBe(`${base}/dados-da-empresa`);
    await user.click(screen.getByRole("link", { name: "Usuários" }));
    await waitFor(() => expect(app.address()).toBe(`${base}/usuarios`));
    const areas = within(screen.getByRole("navigation", { name: "Áreas e saída" }));
    expect(areas.getByRole("link", { name: "Minha empresa" }).getAttribute("aria-current")).toBe("page");
  });
});
