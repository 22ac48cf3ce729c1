import { readUserSettings } from "@malote/contracts/company";
import { changeMe, readBrand, readMe } from "@malote/contracts/session";
import { readValidationUserSettings } from "@malote/contracts/validation";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { brandOfPage } from "../shell/brand.ts";
import { readToken } from "../shell/session.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { buildToken, payments, validation } from "../testing/token.ts";
import { account } from "./feature.ts";

const address = "/minha-conta/dados-da-conta";
const features = [account, placeholderScreens("BatchesPage")];
const me = {
  id: "0198f000-0000-7000-8000-000000000001",
  name: "Helena Prado",
  email: "helena@aurora.exemplo",
};
const name = () => screen.findByLabelText<HTMLInputElement>("Nome completo");

beforeEach(() => fakeServer.on(readMe, () => me));

describe("Dados da conta", () => {
  it("ACC-001 the base path opens this page, and each tab opens its page", async () => {
    const app = renderApp("/minha-conta", { features });
    await screen.findByRole("heading", { name: "Minha conta", level: 1 });
    expect(app.address()).toBe(address);
    const tabs = within(screen.getByRole("navigation", { name: "Minha conta" })).getAllByRole("link");
    expect(
      tabs.map((tab) => [tab.textContent, tab.getAttribute("href"), tab.getAttribute("aria-current")]),
    ).toEqual([
      ["Dados da conta", address, "page"],
      ["Segurança", "/minha-conta/seguranca", null],
    ]);
  });

  it.each(["operator", "analyst"] as const)(
    "ACC-001 the base path opens this page to an %s",
    async (profile) => {
      for (const application of [payments, validation]) {
        const session = { profile, application, allowed_applications: [application] };
        const app = renderApp("/minha-conta", { features, session });
        await name();
        expect(app.address()).toBe(address);
        app.unmount();
      }
    },
  );

  it("ACC-001 the page of the other tab shows both tabs as well", async () => {
    fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: false }));
    const user = userEvent.setup();
    const app = renderApp(address, { features });
    await user.click(await screen.findByRole("link", { name: "Segurança" }));
    await screen.findByRole("button", { name: "Trocar senha" });
    expect(app.address()).toBe("/minha-conta/seguranca");
    const tabs = within(screen.getByRole("navigation", { name: "Minha conta" })).getAllByRole("link");
    expect(tabs.map((tab) => [tab.textContent, tab.getAttribute("aria-current")])).toEqual([
      ["Dados da conta", null],
      ["Segurança", "page"],
    ]);
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "SHL-034 the profile menu opens the page for every profile: %s",
    async (profile) => {
      const user = userEvent.setup();
      const app = renderApp("/acesso-negado", { features, session: { profile } });
      await user.click(await screen.findByRole("button", { name: "Menu de Helena Prado" }));
      await user.click(await screen.findByRole("menuitem", { name: "Minha conta" }));
      await name();
      expect(app.address()).toBe(address);
    },
  );

  it("ACC-002 ACC-004 is open to every profile of either application, and lets each postpone the factor", async () => {
    const off = () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: false });
    fakeServer.on(readUserSettings, off);
    fakeServer.on(readValidationUserSettings, off);
    for (const profile of ["admin", "operator", "analyst"] as const) {
      for (const application of [payments, validation]) {
        const session = { profile, application, allowed_applications: [application] };
        const data = renderApp(address, { features, session });
        await name();
        data.unmount();
        const security = renderApp("/minha-conta/seguranca", { features, session });
        await screen.findByRole("button", { name: "Ativar autenticação" });
        screen.getByRole("button", { name: "Trocar senha" });
        screen.getByRole("button", { name: "Ativar mais tarde" });
        security.unmount();
      }
    }
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "ACC-002 ACC-007 ACC-008 an %s of either application saves the own name, and keeps the new token",
    async (profile) => {
      const user = userEvent.setup();
      for (const application of [payments, validation]) {
        const session = { profile, application, allowed_applications: [application] };
        // Built once, because a token holds the second in which it was built.
        const token = buildToken({ ...session, name: "Helena Prado Reis" });
        fakeServer.on(changeMe, () => ({ new_token: token }));
        const app = renderApp(address, { features, session });
        await user.type(await name(), " Reis{Enter}");
        await waitFor(() => expect(readToken()).toBe(token));
        app.unmount();
      }
      const saved = { name: "Helena Prado Reis" };
      expect(fakeServer.calls(changeMe).map(({ body }) => body)).toEqual([saved, saved]);
    },
  );

  it("ACC-005 shows the name, editable, and the e-mail, read-only", async () => {
    const user = userEvent.setup();
    renderApp(address, { features });
    await user.type(await name(), "s");
    expect((await name()).value).toBe("Helena Prados");
    const email = screen.getByLabelText<HTMLInputElement>("E-mail");
    expect(email.readOnly).toBe(true);
    await user.type(email, "x");
    expect(email.value).toBe(me.email);
  });

  it.each(["", "Helena", "  Helena  "])("ACC-006 refuses the name '%s' before sending", async (given) => {
    const user = userEvent.setup();
    renderApp(address, { features });
    await user.clear(await name());
    if (given) await user.type(await name(), given);
    await user.click(screen.getByRole("button", { name: "Salvar" }));
    expect(screen.getAllByText("O nome deve ter no mínimo 2 palavras")).toHaveLength(2);
    expect(document.activeElement?.getAttribute("role")).toBe("alert");
    expect(fakeServer.calls(changeMe)).toHaveLength(0);
  });

  it("ACC-007 ACC-008 COM-011 saves the name, keeps the new token, and shows the new name in the top bar", async () => {
    const user = userEvent.setup();
    const token = buildToken({ name: "Leni Prado" });
    fakeServer.on(changeMe, () => ({ new_token: token }));
    renderApp(address, { features });
    await user.clear(await name());
    await user.type(await name(), " Leni  Prado {Enter}");
    await screen.findByText("Dados salvos com sucesso");
    expect(fakeServer.calls(changeMe)[0]?.body).toEqual({ name: "Leni Prado" });
    expect(readToken()).toBe(token);
    // The text that people see, beside the one for screen readers.
    within(await screen.findByRole("button", { name: "Menu de Leni Prado" })).getByText("Leni");
    expect((await name()).value).toBe("Leni Prado");
  });

  it("shows a refused save at the field, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeMe, () => refuse("too_many_requests"));
    renderApp(address, { features });
    await user.type(await name(), " Lima{Enter}");
    await waitFor(() => expect(screen.getAllByText(/Muitas chamadas em pouco tempo/)).toHaveLength(2));
    expect((await name()).value).toBe("Helena Prado Lima");
  });

  it("reports that the data could not be read, and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(readMe, () => refuse("not_found"));
    renderApp(address, { features });
    await screen.findByText("Não foi possível carregar seus dados");
    fakeServer.on(readMe, () => me);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await name();
  });

  it.each([
    ["SES-055", "operator", [payments], "Pode criar, editar e enviar pagamentos para aprovação."],
    ["SES-056", "operator", [validation], "Pode fazer validações de dados."],
    [
      "SES-057",
      "analyst",
      [payments, validation],
      "Pode apenas visualizar pagamentos, indicadores e validações de dados.",
    ],
  ] as const)("%s shows an %s what the profile may do", async (_number, profile, allowed, sentence) => {
    const session = { profile, application: allowed[0], allowed_applications: [...allowed] };
    renderApp(address, { features, session });
    await screen.findByText(sentence);
  });

  it.each(["Malote", "Horizonte"])("SHL-003 a text about the product names the brand %s", async (brand) => {
    renderApp(address, { features });
    fakeServer.on(readBrand, () => ({ ...brandOfPage(), name: brand }));
    await screen.findByText(
      `É assim que seus colegas veem você no ${brand}: nos lotes que cria e nos pagamentos que aprova.`,
    );
    expect(document.body.textContent).not.toContain("{product}");
    expect(document.title).toBe(`Dados da conta · ${brand}`);
    screen.getByRole("link", { name: `${brand}, página inicial` });
  });

  it("SHL-003 a text about the product names the page's own brand until the server has answered", async () => {
    const { dataset } = document.documentElement;
    dataset["brand"] = "horizonte";
    onTestFinished(() => void delete dataset["brand"]);
    renderApp(address, { features });
    fakeServer.keepWaiting(readBrand);
    await screen.findByText(/veem você no Horizonte:/);
    expect(document.title).toBe("Dados da conta · Horizonte");
  });
});
