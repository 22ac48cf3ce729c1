/** Access to the form of a validation, its refusals and its requests. */
import { permissions } from "@malote/contracts/policy";
import { authorize } from "@malote/contracts/session";
import {
  createValidation,
  listValidationBanks,
  listValidations,
  readValidation,
  readValidationCompanySettings,
} from "@malote/contracts/validation";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { readToken } from "../shell/session.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { validation as application, buildToken, payments } from "../testing/token.ts";
import { build, field, id, open, radio, send, sent, serveValidation, type } from "../testing/validation.ts";

serveValidation();

describe("routes", () => {
  it.each(["admin", "operator"] as const)("SES-012 SES-013 lead an %s to the form", async (profile) => {
    const app = open("/contacerta", { profile });
    await screen.findByRole("heading", { name: "Validações", level: 1 });
    expect(app.address()).toBe("/contacerta/validacoes/nova");
  });

  it("SES-012 SES-037 switch from payments to the validation application first, and refuse people without it", async () => {
    const both = { allowed_applications: [payments, application] };
    const next = buildToken({ ...both, application });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    const app = open("/contacerta", { ...both, application: payments });
    await screen.findByRole("heading", { name: "Validações", level: 1 });
    expect(fakeServer.calls(authorize)[0]?.body).toMatchObject({ scope: "validation" });
    expect(readToken()).toBe(next);
    app.unmount();
    const without = open("/contacerta", { application: payments, allowed_applications: [payments] });
    await screen.findByText("Você não tem permissão para acessar esta página");
    expect(without.address()).toBe("/acesso-negado");
  });

  it.each(["", "/validacoes", "/validacoes/nova", "/validacoes/historico"])(
    "SES-012 lead a person without a session from /contacerta%s to the login site",
    async (below) => {
      const app = renderApp(`/contacerta${below}`, { session: null });
      await waitFor(() => expect(app.leftTo[0]).toMatch(/^\/entrar\?redirectedFrom=%2Fcontacerta/));
    },
  );

  it.each(["", "/validacoes", "/validacoes/nova", "/validacoes/historico"])(
    "SES-012 refuse a person without the validation application at /contacerta%s",
    async (below) => {
      const app = open(`/contacerta${below}`, { application: payments, allowed_applications: [payments] });
      await screen.findByText("Você não tem permissão para acessar esta página");
      expect(app.address()).toBe("/acesso-negado");
      expect(fakeServer.calls(listValidations)).toEqual([]);
    },
  );

  it("SES-013 SES-015 VAL-027 redirect an analyst to the history, which every profile may open", async () => {
    fakeServer.on(listValidations, () => ({
      data: [],
      metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
    }));
    const app = open("/contacerta/validacoes", { profile: "analyst" });
    // The history without its button.
    await screen.findByText("Nenhuma validação foi encontrada");
    expect(app.address()).toBe("/contacerta/validacoes/historico");
    const menu = within(screen.getByRole("navigation", { name: "ContaCerta" }));
    expect(menu.getAllByRole("link").map((link) => link.textContent)).toEqual(["Histórico"]);
    expect(within(screen.getByRole("main")).queryByRole("link")).toBeNull();
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "SES-015 open the history to an %s without the permission to validate",
    async (profile) => {
      fakeServer.on(listValidations, () => ({
        data: [],
        metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
      }));
      const app = open("/contacerta/validacoes/historico", { profile, permissions: ["platform_access"] });
      await screen.findByText("Nenhuma validação foi encontrada");
      expect(app.address()).toBe("/contacerta/validacoes/historico");
    },
  );

  it("SES-014 refuse analysts, and people without the permission", async () => {
    for (const session of [{ profile: "analyst" }, { permissions: ["platform_access"] }]) {
      const app = open("/contacerta/validacoes/nova", session);
      await screen.findByText("Você não tem permissão para acessar esta página");
      expect(app.address()).toBe("/acesso-negado");
      app.unmount();
    }
  });

  it.each(["admin", "operator"] as const)(
    "SES-014 open the form to an %s with that permission alone",
    async (profile) => {
      const address = "/contacerta/validacoes/nova";
      const others = permissions.filter((one) => one !== "contacerta_validation");
      const without = open(address, { profile, permissions: others });
      await screen.findByText("Você não tem permissão para acessar esta página");
      without.unmount();
      const app = open(address, { profile, permissions: ["platform_access", "contacerta_validation"] });
      await radio("Validação básica");
      expect(app.address()).toBe(address);
    },
  );
});

describe("the form", () => {
  it("SHL-030 VAL-001 VAL-002 VAL-003 offers types and kinds, the basic one and a bank account first", async () => {
    open("/contacerta/validacoes/nova");
    expect((await radio("Validação básica")).checked).toBe(true);
    expect((await radio("Conta bancária")).checked).toBe(true);
    screen.getByRole("heading", { name: "Validações", level: 1 });
    expect(screen.getAllByRole("radio").map((one) => one.closest("label")?.textContent)).toEqual([
      "Validação básica",
      "Microdepósito",
      "Conta bancária",
      "CPF/CNPJ",
      "E-mail",
      "Celular",
      "Chave aleatória",
    ]);
    const menu = within(screen.getByRole("navigation", { name: "ContaCerta" }));
    expect(menu.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Validação de dados", "/contacerta/validacoes/nova"],
      ["Histórico", "/contacerta/validacoes/historico"],
    ]);
  });

  it("VAL-002 VAL-003 starts with the micro deposit when the company uses only that, and reports when it uses none", async () => {
    const settings = { uses_basic_validation: false, uses_micro_deposit: true };
    fakeServer.on(readValidationCompanySettings, () => settings);
    const app = open("/contacerta/validacoes/nova");
    expect((await radio("Microdepósito")).checked).toBe(true);
    expect(screen.queryByRole("radio", { name: "Validação básica" })).toBeNull();
    app.unmount();
    settings.uses_micro_deposit = false;
    const none = open("/contacerta/validacoes/nova");
    await screen.findByText("Sua empresa ainda não usa validações");
    none.unmount();
    settings.uses_basic_validation = true;
    // An earlier micro deposit, which the company no longer uses, is repeated.
    fakeServer.on(readValidation, () => build({ type: "MICRO_DEPOSIT" }));
    open(`/contacerta/validacoes/nova?refazer=${id}`);
    expect((await radio("Validação básica")).checked).toBe(true);
    expect(screen.queryByRole("radio", { name: "Microdepósito" })).toBeNull();
  });

  it("VAL-004 VAL-005 VAL-006 VAL-007 shows what is wrong, and sends nothing", async () => {
    open("/contacerta/validacoes/nova");
    await type("Nome (opcional)", "Li");
    await type("CPF ou CNPJ", "123");
    await type("Agência", "12345");
    await send();
    const lines = within(await screen.findByRole("alert")).getAllByRole("link");
    expect(lines.map((line) => line.textContent)).toEqual([
      "Banco: Informe o banco",
      "Tipo de conta: Informe o tipo de conta",
      "Agência: A agência deste banco tem no máximo 4 números",
      "Conta: Informe a conta, somente números",
      "Dígito da conta: O dígito da conta tem 1 caractere: um número ou uma letra",
      "CPF ou CNPJ: CPF ou CNPJ inválido",
      "Nome: O nome deve ter no mínimo 3 letras",
    ]);
    expect(sent()).toEqual([]);
  });

  it("VAL-001 VAL-012 validates a bank account of a bank from its own host", async () => {
    open("/contacerta/validacoes/nova");
    await userEvent.click(await screen.findByRole("combobox", { name: "Banco" }));
    await userEvent.click(await screen.findByRole("option", { name: "341 · Itaú" }));
    await userEvent.click(screen.getByRole("combobox", { name: "Tipo de conta" }));
    await userEvent.click(await screen.findByRole("option", { name: "Conta corrente" }));
    await type("Agência", "1234");
    await type("Dígito da agência", "3");
    await type("Conta", "56789");
    await type("Dígito da conta", "7");
    await type("CPF ou CNPJ", "11.222.333/0001-81");
    await type("Nome (opcional)", "Padaria Sol Nascente");
    await send();
    await screen.findByText("Os dados bancários informados estão corretos.");
    expect(sent().map(({ query, body }) => [query, body])).toEqual([
      [
        { type: "BASIC" },
        {
          name: "Padaria Sol Nascente",
          cpf_cnpj: "11222333000181",
          bank_ispb: "60701190",
          agency: "1234",
          agency_digit: "3",
          account: "56789",
          account_digit: "7",
          account_type: "CONTA_CORRENTE",
        },
      ],
    ]);
    expect(fakeServer.calls(listValidationBanks).map(({ query }) => query)).toEqual([{ pix: "false" }]);
    expect(fakeServer.calls(readValidation)).toHaveLength(1);
  });

  it("VAL-011 requests the banks of the chosen type", async () => {
    open("/contacerta/validacoes/nova");
    await screen.findByRole("combobox", { name: "Banco" });
    await userEvent.click(await radio("Microdepósito"));
    await waitFor(() =>
      expect(fakeServer.calls(listValidationBanks).map(({ query }) => query)).toEqual([
        { pix: "false" },
        { pix: "true" },
      ]),
    );
  });

  it.each([
    ["CPF/CNPJ", "CPF ou CNPJ", "529.982.247-25", "CPF", "52998224725"],
    ["E-mail", "E-mail", "Maria@Exemplo.com.br", "EMAIL", "maria@exemplo.com.br"],
    ["Celular", "Celular", "(11) 98765-4321", "TELEFONE", "+5511987654321"],
    [
      "Chave aleatória",
      "Chave aleatória",
      "123E4567-e89b-12d3-a456-426614174000",
      "CHAVE_ALEATORIA",
      "123e4567-e89b-12d3-a456-426614174000",
    ],
  ])(
    "VAL-001 VAL-008 VAL-009 accepts a key of the kind %s, and sends it with its own type",
    async (kind, label, typed, pix_key_type, pix_key) => {
      open("/contacerta/validacoes/nova");
      await userEvent.click(await radio(kind));
      await send();
      await screen.findByText("Chave Pix: A chave Pix deve ser válida");
      await type(label, typed);
      await send();
      await screen.findByRole("heading", { name: "Dados validados" });
      expect(sent().map(({ query, body }) => [query, body])).toEqual([
        [{ type: "BASIC" }, { pix_key_type, pix_key }],
      ]);
    },
  );

  it("VAL-008 VAL-009 VAL-010 accepts a key, and its owner's document with a micro deposit", async () => {
    open("/contacerta/validacoes/nova");
    await userEvent.click(await radio("CPF/CNPJ"));
    expect(screen.queryByLabelText("CPF ou CNPJ do titular (opcional)")).toBeNull();
    await userEvent.click(await radio("Microdepósito"));
    for (const kind of ["E-mail", "Celular", "Chave aleatória", "CPF/CNPJ"]) {
      await userEvent.click(await radio(kind));
      await field("CPF ou CNPJ do titular (opcional)");
    }
    await type("CPF ou CNPJ", "529.982.247-24");
    await send();
    await screen.findAllByText(/A chave Pix deve ser válida/);
    await type("CPF ou CNPJ", "11222333000181");
    await type("CPF ou CNPJ do titular (opcional)", "529.982.247-24");
    await send();
    await screen.findAllByText(/CPF ou CNPJ inválido/);
    await type("CPF ou CNPJ do titular (opcional)", "11.222.333/0001-81");
    await send();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent()[0]).toMatchObject({
      query: { type: "MICRO_DEPOSIT" },
      body: {
        pix_key: "11222333000181",
        pix_key_type: "CNPJ",
        pix_key_validation: { cpf_cnpj: "11222333000181" },
      },
    });
  });

  it("VAL-014 shows why it failed, keeps what was typed, and repeats it under the same key", async () => {
    fakeServer.on(createValidation, () => refuse("micro_deposit_without_balance"));
    open("/contacerta/validacoes/nova");
    await userEvent.click(await radio("E-mail"));
    await type("E-mail", "maria@exemplo.com.br");
    await send();
    await screen.findByText(
      /^Ocorreu um erro ao realizar a validação. O microdepósito de R\$ 0,01 sai do saldo/,
    );
    await send();
    await waitFor(() => expect(sent()).toHaveLength(2));
    const keys = sent().map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
    expect((await field("E-mail")).value).toBe("maria@exemplo.com.br");
  });

  it("VAL-014 reports a failure without a known cause", async () => {
    fakeServer.on(createValidation, () => refuseWithoutCode());
    open("/contacerta/validacoes/nova");
    await userEvent.click(await radio("E-mail"));
    await type("E-mail", "maria@exemplo.com.br");
    await send();
    await screen.findByText("Ocorreu um erro ao realizar a validação");
  });
});

it("keeps the form, with what was typed, when a later read of the repeated validation fails", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open(`/contacerta/validacoes/nova?refazer=${id}`);
  const digits = await field("Conta");
  fakeServer.on(readValidation, () => refuse("internal"));
  const before = fakeServer.calls(readValidation).length;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await act(async () => void dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(fakeServer.calls(readValidation).length).toBeGreaterThan(before));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(digits.isConnected).toBe(true);
});
