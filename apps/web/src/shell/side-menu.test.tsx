import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { authorize, readBrand } from "@malote/contracts/session";
import { IconBriefcase } from "@tabler/icons-react";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { features } from "../entries/features.ts";
import { fakeServer } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { buildSession, buildToken, payments, validation } from "../testing/token.ts";
import { brandOfPage } from "./brand.ts";
import type { Feature } from "./feature.ts";
import { forbiddenPath } from "./guards.ts";
import { pathOf } from "./routes.ts";
import { readToken } from "./session.ts";
import { menuEntries, visibleEntries } from "./sidebar.tsx";

const built = [
  placeholderScreens(
    "BatchesPage",
    "ValidationPage",
    "ValidationHistoryPage",
    "AdminCompanyDataPage",
    "DeveloperAreaCredentialsPage",
  ),
];
const both = { allowed_applications: [payments, validation] };
const menu = async () => within(await screen.findByRole("navigation", { name: "Áreas e saída" }));
const entries = async () =>
  (await menu()).getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
const served = (given: object) => fakeServer.on(readBrand, () => ({ ...brandOfPage(), ...given }));

describe("the side menu", () => {
  it("SHL-025 lists the areas, the status page, the blog and the way out", async () => {
    renderApp("/acesso-negado", { features: built, session: both });
    served({ showStatusMenu: true, statusUrl: "https://status.example/", blogUrl: "https://blog.example/" });
    await screen.findByRole("link", { name: "Blog" });
    expect(await entries()).toEqual([
      ["Pagamentos", "/pagamentos"],
      ["ContaCerta", "/contacerta"],
      ["Minha empresa", "/minha-empresa"],
      ["Desenvolvedor", "/area-do-desenvolvedor"],
      ["Status", "https://status.example/"],
      ["Blog", "https://blog.example/"],
      ["Sair", "/logout"],
    ]);
  });

  it("SHL-025 the status page follows the brand, and entries without address or screen are hidden", async () => {
    renderApp("/acesso-negado", { features: [placeholderScreens("BatchesPage")], session: both });
    served({ showStatusMenu: false, statusUrl: "https://status.example/", blogUrl: null });
    await screen.findByRole("heading", { level: 1 });
    expect(await entries()).toEqual([
      ["Pagamentos", "/pagamentos"],
      ["Sair", "/logout"],
    ]);
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-026 hides the company and developer areas from an %s",
    async (profile) => {
      renderApp("/acesso-negado", { features: built, session: { ...both, profile } });
      expect((await entries()).map(([label]) => label)).toEqual(["Pagamentos", "ContaCerta", "Sair"]);
    },
  );

  it("SHL-026 SHL-034 offers an admin without payments the company and developer areas in both menus", async () => {
    const only = { application: validation, allowed_applications: [validation] };
    renderApp("/acesso-negado", { features: built, session: only });
    expect((await entries()).map(([label]) => label)).toEqual([
      "ContaCerta",
      "Minha empresa",
      "Desenvolvedor",
      "Sair",
    ]);
    await userEvent.click(screen.getByRole("button", { name: "Menu de Helena Prado" }));
    await screen.findByRole("menuitem", { name: "Minha empresa" });
    screen.getByRole("menuitem", { name: "Desenvolvedor" });
  });

  it.each([
    [[payments], ["Pagamentos"]],
    [[validation], ["ContaCerta"]],
    [
      [payments, validation],
      ["Pagamentos", "ContaCerta"],
    ],
  ])("SHL-027 shows the applications of the user %#", async (allowed_applications, labels) => {
    const [application = payments] = allowed_applications;
    renderApp("/acesso-negado", {
      features: built,
      session: { application, allowed_applications, profile: "operator" },
    });
    expect((await entries()).map(([label]) => label)).toEqual([...labels, "Sair"]);
  });
});

describe("choosing the other application", () => {
  it.each([
    ["ContaCerta", payments, validation, "ValidationPage"],
    ["Pagamentos", validation, payments, "BatchesPage"],
  ] as const)("SHL-027 switches to it: %s", async (label, application, chosen, page) => {
    const next = buildToken({ ...both, application: chosen });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    renderApp("/acesso-negado", { features: built, session: { ...both, application } });
    await userEvent.click(await (await menu()).findByRole("link", { name: label }));
    await screen.findByRole("heading", { name: page });
    expect(fakeServer.calls(authorize).map(({ body }) => (body as { scope?: string }).scope)).toEqual([
      chosen.id,
    ]);
    expect(readToken()).toBe(next);
  });
});

describe("read-only features of an analyst", () => {
  const importing: Feature = {
    pages: [],
    nav: [
      { group: "Pagamentos", label: "Importação", to: "ImportPage", icon: IconBriefcase },
      { group: "Pagamentos", label: "Lotes", to: "BatchesPage", icon: IconBriefcase },
      { group: "ContaCerta", label: "Validação de dados", to: "ValidationPage", icon: IconBriefcase },
      { group: "ContaCerta", label: "Histórico", to: "ValidationHistoryPage", icon: IconBriefcase },
    ],
  };
  const labelsOf = (profile: "operator" | "analyst") =>
    [...visibleEntries([importing], buildSession({ ...both, profile })).values()]
      .flat()
      .map(({ label }) => label);

  it("SES-054 hide the entries for importing and for validating", () => {
    expect(labelsOf("operator")).toEqual(["Importação", "Lotes", "Validação de dados", "Histórico"]);
    expect(labelsOf("analyst")).toEqual(["Lotes", "Histórico"]);
  });

  beforeEach(() => {
    const pagination = { itemsPerPage: 9, totalItems: 0 };
    fakeServer.on(listBatches, () => ({
      data: [],
      summary: { count: 0, value: 0 },
      metadata: { pagination },
    }));
    fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
  });

  it("SES-054 refuse the import, and hide its entry in the full application", async () => {
    const app = renderApp(pathOf("ImportPage"), { session: { profile: "analyst" } });
    await screen.findByText("Solicite ao administrador a alteração do seu perfil.");
    expect(app.address()).toBe(forbiddenPath);
    expect(screen.queryByRole("link", { name: "Importação" })).toBeNull();
    expect(screen.getByRole("link", { name: "Lotes" })).toBeTruthy();
  });

  it("SES-054 refuse the validation", async () => {
    const session = {
      application: validation,
      allowed_applications: [validation],
      profile: "analyst" as const,
    };
    const app = renderApp(pathOf("ValidationPage"), { features: built, session });
    await screen.findByText("Solicite ao administrador a alteração do seu perfil.");
    expect(app.address()).toBe(forbiddenPath);
  });
});

describe("the sidebar's list", () => {
  const listOf = (given: Parameters<typeof buildSession>[0]) =>
    menuEntries(features, buildSession(given)).map(([group, own]) => [group, own.map(({ label }) => label)]);
  const all = { ...both, feature_flags: ["card-charge"] };
  const receiving = ["Recebimentos", ["Seus recebimentos", "Cartão de crédito", "Links de pagamento"]];

  it("SHL-028 SHL-029 SHL-030 SHL-031 has these entries, in this order, for an admin", () => {
    expect(listOf(all)).toEqual([
      [
        "Pagamentos",
        ["Lotes", "Transferências", "Boletos", "Recebedores", "Importação", "Indicadores", "Configurações"],
      ],
      receiving,
      ["ContaCerta", ["Validação de dados", "Histórico"]],
      ["Contestações", ["Infrações e MED"]],
    ]);
  });

  it("SHL-028 SHL-029 SHL-030 SHL-031 SHL-033 is drawn in that order, each entry with its page", async () => {
    renderApp("/acesso-negado", { session: all });
    const drawn = async (group: string) =>
      within(await screen.findByRole("navigation", { name: group }))
        .getAllByRole("link")
        .map((link) => [link.textContent, link.getAttribute("href")]);
    expect(await drawn("Pagamentos")).toEqual([
      ["Lotes", pathOf("BatchesPage")],
      ["Transferências", pathOf("TransfersPage")],
      ["Boletos", pathOf("BoletosPage")],
      ["Recebedores", pathOf("ReceiversPage")],
      ["Importação", pathOf("ImportPage")],
      ["Indicadores", pathOf("IndicatorsPage")],
      ["Configurações", pathOf("PaymentsSettings")],
    ]);
    expect(await drawn("Recebimentos")).toEqual([
      ["Seus recebimentos", pathOf("ReceivablesPage")],
      ["Cartão de crédito", pathOf("CardReceivablesPage")],
      ["Links de pagamento", pathOf("PaymentLinkPage")],
    ]);
    expect(await drawn("ContaCerta")).toEqual([
      ["Validação de dados", pathOf("ValidationPage")],
      ["Histórico", pathOf("ValidationHistoryPage")],
    ]);
    expect(await drawn("Contestações")).toEqual([["Infrações e MED", pathOf("InfractionsPage")]]);
  });

  it("SHL-028 shows Configurações to admins only, and Importação to people who import", () => {
    const payments = (profile: "operator" | "analyst") =>
      listOf({ ...all, profile }).find(([group]) => group === "Pagamentos")?.[1];
    expect(payments("operator")).toEqual([
      "Lotes",
      "Transferências",
      "Boletos",
      "Recebedores",
      "Importação",
      "Indicadores",
    ]);
    expect(payments("analyst")).toEqual(["Lotes", "Transferências", "Boletos", "Recebedores", "Indicadores"]);
  });

  it("SHL-029 SHL-030 shows cards to companies that have them, and no form to analysts", () => {
    const seen = listOf({ ...both, profile: "analyst", feature_flags: [] });
    expect(seen.slice(1, 3)).toEqual([
      ["Recebimentos", ["Seus recebimentos", "Links de pagamento"]],
      ["ContaCerta", ["Histórico"]],
    ]);
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-029 SHL-031 shows an %s what an admin sees of receivables and contestations",
    (profile) => {
      const seen = listOf({ ...all, profile });
      expect(seen.filter(([group]) => group === "Recebimentos" || group === "Contestações")).toEqual([
        receiving,
        ["Contestações", ["Infrações e MED"]],
      ]);
    },
  );

  it("SHL-005 SHL-006 leaves the statement and the waiting amount to the top bar and the palette", () => {
    const found = [...visibleEntries(features, buildSession()).values()].flat().map(({ label }) => label);
    expect(found).toEqual(expect.arrayContaining(["Saldo", "Aguardando recebimento"]));
  });
});
