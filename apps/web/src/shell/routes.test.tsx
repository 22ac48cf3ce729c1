import { applications, profiles } from "@malote/contracts/policy";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { features } from "../entries/features.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { buildSession, payments, validation } from "../testing/token.ts";
import { decideEntry, forbiddenPath } from "./guards.ts";
import { bases, guardedRoute, pathOf, type RouteName, redirectOf, redirects, routeNames } from "./routes.ts";

const forbidden = () =>
  screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
const both = [payments, validation];
/** A placeholder for every named screen, which shows its name. */
const everyScreen = [placeholderScreens(...routeNames.filter((name) => !redirects[name]))];

it("SES-002 defines two applications, and areas beside them that belong to neither", () => {
  expect(applications).toEqual(["payments", "validation"]);
  const applicationOf = (name: RouteName) => guardedRoute(name).application;
  expect(applicationOf("BatchesPage")).toBe("payments");
  expect(applicationOf("ValidationPage")).toBe("validation");
  for (const name of [
    "AdminUsersPage",
    "DeveloperAreaCredentialsPage",
    "MyAccountAccountDataPage",
  ] as const) {
    expect(applicationOf(name), name).toBeUndefined();
  }
});

it("SES-003 each area begins at its path", () => {
  expect(bases).toEqual({
    payments: "/pagamentos",
    validation: "/contacerta",
    account: "/minha-conta",
    company: "/minha-empresa",
    developer: "/area-do-desenvolvedor",
    receivables: "/recebimentos",
    contestations: "/contestacoes",
    arrival: "/auth",
    logout: "/logout",
    forbidden: "/acesso-negado",
  });
  // The home page stands beside the areas (decision 0057).
  for (const name of routeNames.filter((one) => one !== "HomePage")) {
    expect(
      Object.values(bases).filter((base) => `${pathOf(name)}/`.startsWith(`${base}/`)),
      name,
    ).toHaveLength(1);
  }
});

describe("named routes", () => {
  it.each<[RouteName, string]>([
    ["PaymentsSettings", "/pagamentos/configuracoes"],
    ["PaymentsBankAccountsPage", "/pagamentos/configuracoes/dados-bancarios"],
    ["BatchesPage", "/pagamentos/lotes"],
    ["StatementPage", "/pagamentos/saldo"],
    ["FirstStepsPage", "/pagamentos/primeiros-passos"],
    ["PaymentLinkPage", "/recebimentos/links-de-pagamento"],
    ["AdminCompanyDataPage", "/minha-empresa/dados-da-empresa"],
    ["AdminUsersPage", "/minha-empresa/usuarios"],
    ["BillingPage", "/minha-empresa/faturas"],
    ["AdminLimitsPage", "/minha-empresa/limites"],
    ["MyAccountAccountDataPage", "/minha-conta/dados-da-conta"],
    ["MyAccountSecuritySettingsPage", "/minha-conta/seguranca"],
    ["DeveloperAreaCredentialsPage", "/area-do-desenvolvedor/credenciais"],
  ])("SES-004 %s is %s", async (name, path) => {
    const app = renderApp(path, { features: everyScreen, session: { allowed_applications: both } });
    const screenName = name === "PaymentsSettings" ? "PaymentsBankAccountsPage" : name;
    await screen.findByRole("heading", { name: screenName, level: 1 });
    expect(app.address()).toBe(pathOf(screenName));
  });

  it("SES-004 no two share a path, and every existing screen has a name", () => {
    const paths = routeNames.map(pathOf);
    expect(new Set(paths).size).toBe(paths.length);
    for (const page of features.flatMap((feature) => feature.pages)) {
      expect(page.name && pathOf(page.name), page.title).toBe(page.path);
    }
  });
});

describe("the payments application", () => {
  const children = {
    "primeiros-passos": "FirstStepsPage",
    saldo: "StatementPage",
    "importacao-de-planilha": "ImportPage",
    lotes: "BatchesPage",
    indicadores: "IndicatorsPage",
    "lotes-aguardando-recebimento": "WaitingBatchesPage",
    transferencias: "TransfersPage",
    boletos: "BoletosPage",
    recebedores: "ReceiversPage",
    configuracoes: "PaymentsSettings",
  } as const;

  it("SES-007 has these children and no other", () => {
    const direct = routeNames.filter((name) => /^\/pagamentos\/[^/]+$/.test(pathOf(name)));
    expect(Object.fromEntries(direct.map((name) => [pathOf(name).split("/")[2], name]))).toEqual(children);
  });

  it.each(Object.entries(children))("SES-007 /pagamentos/%s opens %s", async (path, name) => {
    renderApp(`/pagamentos/${path}`, { features: everyScreen });
    await screen.findByRole("heading", { name: redirects[name] ?? name, level: 1 });
  });
});

describe("the settings of payments", () => {
  it.each(["operator", "analyst"] as const)(
    "SES-009 SES-051 refuse an %s, on their children too",
    async (profile) => {
      for (const address of ["", "/dados-bancarios", "/geral"]) {
        const app = renderApp(`/pagamentos/configuracoes${address}`, { session: { profile } });
        await forbidden();
        expect(app.address()).toBe(forbiddenPath);
        app.unmount();
      }
    },
  );

  it("SES-009 redirect an admin to the bank accounts; the other child is the general tab", async () => {
    const app = renderApp("/pagamentos/configuracoes", { features: everyScreen });
    await screen.findByRole("heading", { name: "PaymentsBankAccountsPage" });
    expect(app.address()).toBe("/pagamentos/configuracoes/dados-bancarios");
    const below = routeNames.map(pathOf).filter((path) => path.startsWith("/pagamentos/configuracoes/"));
    expect(below).toEqual(["/pagamentos/configuracoes/dados-bancarios", "/pagamentos/configuracoes/geral"]);
  });
});

describe("receivables and contestations", () => {
  const inside = [
    "/recebimentos",
    "/recebimentos/recebiveis",
    "/recebimentos/nao-existe",
    "/contestacoes/infracoes",
  ];

  it.each(inside)("SES-011 %s needs a session", async (address) => {
    const app = renderApp(address, { session: null });
    await waitFor(() => expect(app.leftTo[0]).toMatch(/^\/entrar\?redirectedFrom=.+&motivo=entrar$/));
  });

  it.each(inside)("SES-011 %s refuses a user without the payments application", async (address) => {
    const app = renderApp(address, {
      session: { application: validation, allowed_applications: [validation] },
    });
    await forbidden();
    expect(app.address()).toBe(forbiddenPath);
  });

  it("SES-011 are open to a user of payments", async () => {
    renderApp("/recebimentos", { features: everyScreen });
    await screen.findByRole("heading", { name: "ReceivablesPage" });
  });
});

const oldPaths: [string, RouteName, string[]][] = [
  ["SES-016", "AdminUsersPage", ["/usuarios-da-empresa", "/cliente/usuarios-da-empresa"]],
  [
    "SES-017",
    "MyAccountAccountDataPage",
    ["/dados-da-conta", "/cliente/dados-da-conta", "/contacerta/configuracoes/dados-da-conta"],
  ],
  ["SES-018", "BillingPage", ["/faturas", "/cliente/faturas", "/financeiro/faturas"]],
  ["SES-019", "PaymentsBankAccountsPage", ["/configuracoes"]],
  ["SES-020", "PaymentsGeneralSettings", ["/cliente/configuracoes"]],
  ["SES-021", "FirstStepsPage", ["/primeiros-passos"]],
  ["SES-021", "StatementPage", ["/saldo"]],
  ["SES-021", "BatchesPage", ["/dashboard", "/lotes"]],
  ["SES-021", "ImportPage", ["/importacao-de-planilha"]],
  ["SES-021", "IndicatorsPage", ["/indicadores"]],
  ["SES-021", "WaitingBatchesPage", ["/lotes-aguardando-recebimento"]],
  ["SES-021", "TransfersPage", ["/transferencias"]],
  ["SES-021", "BoletosPage", ["/boletos"]],
  ["SES-022", "PaymentsBankAccountsPage", ["/cliente/dados-bancarios"]],
  [
    "SES-023",
    "DeveloperAreaCredentialsPage",
    ["/contacerta/configuracoes/geral", "/minha-conta/credenciais"],
  ],
];
const everyOldPath = oldPaths.flatMap(([number, name, paths]) =>
  paths.map((path) => [number, path, name] as const),
);

describe("old paths", () => {
  it.each(everyOldPath)("%s %s redirects to %s", async (_number, path, name) => {
    const app = renderApp(path, { features: everyScreen });
    await screen.findByRole("heading", { name, level: 1 });
    expect(app.address()).toBe(pathOf(name));
  });
});

it.each(profiles)(
  "the guard of every named route decides the same before and after its screen exists, for an %s",
  async (profile) => {
    const session = buildSession({ profile, allowed_applications: both });
    for (const name of routeNames) {
      const target = redirectOf(name, session);
      if (!target) continue;
      const decide = (route: RouteName) => decideEntry(guardedRoute(route), { session, now: Date.now() });
      expect(await decide(name), `${name} lets in whom ${target} refuses`).toEqual(await decide(target));
    }
  },
);
