import { authorize } from "@malote/contracts/session";
import {
  createValidation,
  downloadValidationBankReceipt,
  downloadValidationReceipt,
  listValidationBanks,
  listValidations,
  readValidation,
  readValidationCompanySettings,
  type Validation,
} from "@malote/contracts/validation";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readToken } from "../shell/session.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { validation as application, buildToken, payments } from "../testing/token.ts";
import { messagesOf } from "./validation-texts.ts";

const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú", image: null };
const id = "0198f000-0000-7000-8000-0000000000a1";
const person = { application, allowed_applications: [application] };
const open = (address: string, session: object = {}) =>
  renderApp(address, { session: { ...person, ...session } });

const build = (changes: Partial<Validation> = {}): Validation => ({
  id,
  type: "BASIC",
  valid: true,
  errors: [],
  checked: ["tax_id_digits", "account_form", "account_digit"],
  not_checked: ["account_exists", "account_holder", "name"],
  data: {
    name: "Padaria Sol Nascente",
    cpf_cnpj: "11222333000181",
    agency: "1234",
    agency_digit: null,
    account: "56789",
    account_digit: "7",
    account_type: "CONTA_CORRENTE",
    pix_key: null,
    pix_key_type: null,
    pix_key_validation: null,
  },
  bank_code: "341",
  bank_ispb: "60701190",
  micro_deposit_status: null,
  validated_at: "2026-11-20T18:00:01.000Z",
  created_at: "2026-11-20T18:00:00.000Z",
  receipt_url: null,
  bank_receipt_url: null,
  ...changes,
});
const byKey = {
  ...build().data,
  name: null,
  agency: null,
  account: null,
  account_digit: null,
  account_type: null,
};
const underWay = build({ type: "MICRO_DEPOSIT", valid: null, validated_at: null });

let kept: Validation;
beforeEach(() => {
  kept = build();
  fakeServer.on(readValidationCompanySettings, () => ({
    uses_basic_validation: true,
    uses_micro_deposit: true,
  }));
  fakeServer.on(listValidationBanks, () => ({ data: [itau] }));
  fakeServer.on(createValidation, () => ({ id }));
  fakeServer.on(readValidation, () => kept);
});

const radio = (name: string) => screen.findByRole<HTMLInputElement>("radio", { name });
const send = async () => userEvent.click(await screen.findByRole("button", { name: "Fazer validação" }));
const field = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name });
const type = async (label: string, text: string) => {
  await userEvent.clear(await field(label));
  await userEvent.type(await field(label), text);
};
const sent = () => fakeServer.calls(createValidation);

describe("the ways in", () => {
  it.each(["admin", "operator"] as const)("SES-012 SES-013 lead an %s to the form", async (profile) => {
    const app = open("/contacerta", { profile });
    await screen.findByRole("heading", { name: "Validações", level: 1 });
    expect(app.address()).toBe("/contacerta/validacoes/nova");
  });

  it("SES-012 SES-037 switch from payments to the validation application first, and refuse who is without it", async () => {
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

  it("SES-013 SES-015 lead an analyst to the history, which everybody may open", async () => {
    fakeServer.on(listValidations, () => ({
      data: [],
      metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
    }));
    const app = open("/contacerta/validacoes", { profile: "analyst" });
    // VAL-027: without the button.
    await screen.findByText("Nenhuma validação foi encontrada");
    expect(app.address()).toBe("/contacerta/validacoes/historico");
    const menu = within(screen.getByRole("navigation", { name: "ContaCerta" }));
    expect(menu.getAllByRole("link").map((link) => link.textContent)).toEqual(["Histórico"]);
    expect(within(screen.getByRole("main")).queryByRole("link")).toBeNull();
  });

  it("SES-014 refuses analysts, and whoever is without the permission", async () => {
    for (const session of [{ profile: "analyst" }, { permissions: ["platform_access"] }]) {
      const app = open("/contacerta/validacoes/nova", session);
      await screen.findByText("Você não tem permissão para acessar esta página");
      expect(app.address()).toBe("/acesso-negado");
      app.unmount();
    }
  });
});

describe("the form", () => {
  it("SHL-030 VAL-001 VAL-002 VAL-003 offers types and kinds, the basic one and a bank account first", async () => {
    open("/contacerta/validacoes/nova");
    expect((await radio("Validação básica")).checked).toBe(true);
    expect((await radio("Conta bancária")).checked).toBe(true);
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

  it("VAL-002 VAL-003 begins with the micro deposit where the company uses that alone, and says when it uses none", async () => {
    const settings = { uses_basic_validation: false, uses_micro_deposit: true };
    fakeServer.on(readValidationCompanySettings, () => settings);
    const app = open("/contacerta/validacoes/nova");
    expect((await radio("Microdepósito")).checked).toBe(true);
    expect(screen.queryByRole("radio", { name: "Validação básica" })).toBeNull();
    app.unmount();
    settings.uses_micro_deposit = false;
    open("/contacerta/validacoes/nova");
    await screen.findByText("Sua empresa ainda não usa validações");
  });

  it("VAL-004 VAL-005 VAL-006 VAL-007 says what is wrong, and sends nothing", async () => {
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
    await type("Conta", "56789");
    await type("Dígito da conta", "7");
    await type("CPF ou CNPJ", "11.222.333/0001-81");
    await send();
    await screen.findByText("Os dados bancários informados estão corretos.");
    expect(sent().map(({ query, body }) => [query, body])).toEqual([
      [
        { type: "BASIC" },
        {
          cpf_cnpj: "11222333000181",
          bank_ispb: "60701190",
          agency: "1234",
          account: "56789",
          account_digit: "7",
          account_type: "CONTA_CORRENTE",
        },
      ],
    ]);
    expect(fakeServer.calls(listValidationBanks).map(({ query }) => query)).toEqual([{ pix: "false" }]);
    expect(fakeServer.calls(readValidation)).toHaveLength(1);
  });

  it("VAL-008 VAL-009 VAL-010 takes a key of each kind, and its owner's document with a micro deposit", async () => {
    open("/contacerta/validacoes/nova");
    await userEvent.click(await radio("CPF/CNPJ"));
    expect(screen.queryByLabelText("CPF ou CNPJ do titular (opcional)")).toBeNull();
    await userEvent.click(await radio("Microdepósito"));
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

  it("VAL-014 says why it was not made, keeps what was typed, and sends it again under the same key", async () => {
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
});

describe("the result", () => {
  const address = `/contacerta/validacoes/nova?validacao=${id}`;

  it("VAL-018 says beside the answer what was checked, and what nobody checked", async () => {
    const app = open(address);
    await screen.findByText("Os dados bancários informados estão corretos.");
    const lines = () => screen.getAllByText(/onferido:$/).map(({ parentElement: line }) => line?.textContent);
    expect(lines()).toEqual([
      "Conferido: dígitos verificadores do CPF ou CNPJ; banco, tipo de conta e formato de agência e conta; dígito verificador da conta, pela regra do banco.",
      "Não conferido: se a conta existe e recebe créditos; se a conta é do CPF ou CNPJ informado; se o nome é o do titular. Para conferir a conta e o titular, faça um microdepósito.",
    ]);
    app.unmount();
    kept = build({ checked: ["pix_key_form", "pix_key_exists"], not_checked: [], data: byKey });
    open(address);
    await screen.findByText("Os dados bancários informados estão corretos.");
    expect(lines()).toEqual(["Conferido: formato da chave Pix; se a chave existe e recebe Pix."]);
  });

  it("VAL-018 FST-024 says that a deposit was made, and gives its receipt", async () => {
    kept = build({
      type: "MICRO_DEPOSIT",
      micro_deposit_status: "TRANSFERRED",
      receipt_url: "/receipt",
      bank_receipt_url: "/bank",
    });
    fakeServer.on(downloadValidationReceipt, () => new Blob(["%PDF"]));
    fakeServer.on(downloadValidationBankReceipt, () => new Blob(["%PDF"]));
    open(address);
    await screen.findByText("Os dados bancários informados estão corretos.");
    screen.getByText("O depósito de R$ 0,01 foi feito e o comprovante está disponível.");
    const saved = watchSavedFiles();
    await userEvent.click(screen.getByRole("button", { name: "Baixar comprovante" }));
    await waitFor(() => expect(saved).toEqual(["comprovante-padaria-sol-nascente.pdf"]));
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_DOWNLOADED_RECEIPTS"]));
    await userEvent.click(screen.getByRole("button", { name: "Comprovante do banco" }));
    await waitFor(() => expect(saved).toContain("comprovante-do-banco-padaria-sol-nascente.pdf"));
    await waitFor(() => expect(recordedMarks()).toEqual(Array(2).fill("HAS_DOWNLOADED_RECEIPTS")));
  });

  it("VAL-016 VAL-020 says one message for each field, with what is suggested", async () => {
    kept = build({
      valid: false,
      errors: [
        {
          code: "account_digit_wrong",
          field: "account_digit",
          message: "Conta ou dígito verificador da conta inválido",
          suggestion: { account_digit: "7" },
        },
        {
          code: "agency_digit_wrong",
          field: "agency_digit",
          message: "Dígito da agência não é válido",
          suggestion: "9",
        },
      ],
    });
    open(address);
    await screen.findByText("Os dados bancários informados estão incorretos.");
    const lines = within(screen.getByRole("status")).getAllByRole("listitem");
    expect(lines.map((line) => line.textContent)).toEqual([
      "Dígito da conta: Conta ou dígito verificador da conta inválidoSugestão: Dígito da conta 7",
      "Dígito da agência: Dígito da agência não é válidoSugestão: 9",
    ]);
  });

  it("VAL-020 says several suggestions of one field together", () => {
    const error = { code: "account_not_found", field: "account", message: "Conta não encontrada" } as const;
    expect(
      messagesOf([
        { ...error, suggestion: { account: "123", account_type: "CONTA_POUPANCA" } },
        { ...error, suggestion: { cpf_cnpj: "52998224725" } },
        { ...error, field: "name", suggestion: "Maria" },
      ]).map(({ field, suggestion }) => [field, suggestion]),
    ).toEqual([
      ["account", "Sugestões: Conta 123, Tipo de conta Conta poupança, CPF ou CNPJ 529.982.247-25"],
      ["name", "Sugestão: Maria"],
    ]);
  });

  it("has the focus, which the form had", async () => {
    open(address);
    const heading = await screen.findByRole("heading", { name: "Dados validados" });
    expect(document.activeElement).toBe(heading);
  });

  it("VAL-018 VAL-021 asks again while a deposit is on its way, until there is a result", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    kept = underWay;
    open(address);
    await screen.findByText("Validando os dados…");
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    const before = fakeServer.calls(readValidation).length;
    expect(before).toBeGreaterThanOrEqual(2);
    kept = build({
      type: "MICRO_DEPOSIT",
      micro_deposit_status: "FAILED",
      valid: false,
      errors: [{ code: "account_closed", field: "account", message: "A conta não existe ou foi encerrada" }],
    });
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await screen.findByText("Os dados bancários informados estão incorretos.");
    const after = fakeServer.calls(readValidation).length;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(fakeServer.calls(readValidation)).toHaveLength(after);
  });

  it.each<[string, Validation]>([
    ["a basic validation", build({ valid: null, validated_at: null })],
    ["a deposit that has arrived", { ...underWay, micro_deposit_status: "TRANSFERRED" }],
    [
      "a deposit with errors",
      {
        ...underWay,
        valid: false,
        errors: [
          { code: "account_closed", field: "account", message: "A conta não existe ou foi encerrada" },
        ],
      },
    ],
  ])("VAL-021 asks once for %s", async (_, without) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    kept = without;
    open(address);
    await waitFor(() => expect(fakeServer.calls(readValidation)).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(fakeServer.calls(readValidation)).toHaveLength(1);
  });

  it("SES-070 says when it could not ask any more, and asks again on demand", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    kept = underWay;
    open(address);
    await screen.findByText("Validando os dados…");
    fakeServer.on(readValidation, () => refuse("internal"));
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await screen.findByText("Não foi possível atualizar o resultado");
    kept = build({ type: "MICRO_DEPOSIT", micro_deposit_status: "TRANSFERRED" });
    fakeServer.on(readValidation, () => kept);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Os dados bancários informados estão corretos.");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("VAL-019 VAL-022 gives up after 30 times every 2 seconds, and leads to the history", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const askedAt: number[] = [];
    fakeServer.on(readValidation, () => {
      askedAt.push(Date.now());
      return underWay;
    });
    open(address);
    await screen.findByText("Validando os dados…");
    await act(() => vi.advanceTimersByTimeAsync(70_000));
    const notice = (await screen.findByText("A validação vai levar mais tempo que o esperado.")).closest(
      "[data-tone]",
    );
    expect(notice?.textContent).toContain("Enquanto isso, você pode fazer outra validação.");
    const waits = askedAt.slice(1).map((at, n) => at - (askedAt[n] ?? 0));
    expect(waits).toHaveLength(30);
    expect(waits.map((ms) => Math.round(ms / 500) / 2)).toEqual(Array(30).fill(2));
    const link = screen.getByRole("link", { name: "histórico de validações" });
    expect(link.getAttribute("href")).toBe("/contacerta/validacoes/historico");
  });

  it("VAL-023 makes a new one with nothing in it, or the same once more", async () => {
    kept = build({ data: { ...byKey, pix_key: "+5511987654321", pix_key_type: "TELEFONE", cpf_cnpj: null } });
    const app = open(address);
    await userEvent.click(await screen.findByRole("button", { name: "Refazer validação" }));
    expect((await radio("Celular")).checked).toBe(true);
    expect((await field("Celular")).value).toBe("(11) 98765-4321");
    expect(app.address()).toBe(`/contacerta/validacoes/nova?refazer=${id}`);
    await send();
    await userEvent.click(await screen.findByRole("button", { name: "Nova validação" }));
    expect((await radio("Conta bancária")).checked).toBe(true);
    expect((await field("Conta")).value).toBe("");
    expect(app.address()).toBe("/contacerta/validacoes/nova");
  });

  describe("VAL-023 one by a key that a program made with its holder", () => {
    const holder = "52998224725";
    const ofHolder = { pix_key_validation: { cpf_cnpj: holder } };
    const label = "CPF ou CNPJ do titular (opcional)";
    const again = async (changes: Partial<Validation>, data: Partial<Validation["data"]>) => {
      kept = build({
        ...changes,
        bank_code: null,
        bank_ispb: null,
        data: { ...byKey, cpf_cnpj: null, pix_key: "maria@exemplo.com.br", pix_key_type: "EMAIL", ...data },
      });
      open(address);
      await userEvent.click(await screen.findByRole("button", { name: "Refazer validação" }));
      await radio("E-mail");
    };
    const lastSent = async () => {
      await send();
      await waitFor(() => expect(sent()).toHaveLength(1));
      const { query, body } = sent()[0] ?? {};
      return { query, body };
    };
    const email = { pix_key: "maria@exemplo.com.br", pix_key_type: "EMAIL" };

    it.each([
      ["BASIC", { cpf_cnpj: holder }],
      ["MICRO_DEPOSIT", { cpf_cnpj: holder }],
      ["BASIC", ofHolder],
      ["MICRO_DEPOSIT", ofHolder],
    ] as const)("shows it, %s, and sends it under the name it came by: %o", async (type, data) => {
      await again({ type }, data);
      expect((await field(label)).value).toBe("529.982.247-25");
      expect(await lastSent()).toEqual({ query: { type }, body: { ...email, ...data } });
    });

    it("keeps both where both were given, under different words", async () => {
      await again({ type: "BASIC" }, { cpf_cnpj: "11222333000181", ...ofHolder });
      expect((await field("CPF ou CNPJ (opcional)")).value).toBe("11.222.333/0001-81");
      expect((await field(label)).value).toBe("529.982.247-25");
      expect((await lastSent()).body).toEqual({ ...email, cpf_cnpj: "11222333000181", ...ofHolder });
    });

    it("keeps the field when it is emptied or the type is changed, and sends what stands there", async () => {
      await again({ type: "BASIC" }, { cpf_cnpj: holder });
      await userEvent.clear(await field(label));
      await userEvent.click(await radio("Microdepósito"));
      expect(screen.getAllByLabelText(label)).toHaveLength(1);
      await type(label, "11.222.333/0001-81");
      expect(await lastSent()).toEqual({
        query: { type: "MICRO_DEPOSIT" },
        body: { ...email, cpf_cnpj: "11222333000181" },
      });
    });
  });

  it("says when it cannot be read, and tries again", async () => {
    fakeServer.on(readValidation, () => refuse("not_found"));
    open(address);
    await screen.findByText("Não foi possível carregar o resultado");
    fakeServer.on(readValidation, () => kept);
    await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Os dados bancários informados estão corretos.");
  });
});

it("a form stays, with what was typed, when a later look at the validation it came from fails", async () => {
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

describe("the history", () => {
  const history = "/contacerta/validacoes/historico";
  const other = "0198f000-0000-7000-8000-0000000000a2";
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T15:00:00Z") });
    fakeServer.on(listValidations, ({ query }) => ({
      data: query["searchTerm"]
        ? []
        : [
            build({ type: "MICRO_DEPOSIT", micro_deposit_status: "TRANSFERRED", receipt_url: "/receipt" }),
            build({
              id: other,
              valid: false,
              errors: [{ code: "pix_key_not_found", field: "pix_key", message: "Chave Pix não encontrada" }],
              data: { ...byKey, cpf_cnpj: null, pix_key: "a@b.co", pix_key_type: "EMAIL" },
            }),
          ],
      metadata: { pagination: { itemsPerPage: 12, totalItems: query["searchTerm"] ? 0 : 14 } },
    }));
  });
  const asked = () => fakeServer.calls(listValidations).map(({ query }) => query);

  it("VAL-017 VAL-025 VAL-028 lists what was validated this month", async () => {
    open(history);
    const table = await screen.findByRole("table", { name: "Histórico de validações" });
    expect(
      within(table)
        .getAllByRole("columnheader")
        .map((cell) => cell.textContent),
    ).toEqual(["Data", "Tipo de validação", "Nome", "Pix ou Agência/Conta", "Status", "Comprovante"]);
    const [, first, second] = within(table).getAllByRole("row");
    for (const text of ["Microdepósito", "Padaria Sol Nascente", "Ag. 1234 · Conta 56789-7", "Validado"])
      expect(first?.textContent).toContain(text);
    within(first as HTMLElement).getByRole("button", { name: "Baixar comprovante de Padaria Sol Nascente" });
    for (const text of ["Validação básica", "a@b.co", "Inválido"])
      expect(second?.textContent).toContain(text);
    expect(within(second as HTMLElement).queryByRole("button")).toBeNull();
    expect(asked()).toEqual([{ page: "0", initialDate: "2026-11-01", endDate: "2026-11-30" }]);
    screen.getByText("14 validações");
  });

  it("VAL-024 VAL-029 filters by what the address says, and pages by twelve", async () => {
    const app = open(`${history}?status=invalido&tipo=basica&mes=2026-10&pagina=2`);
    await screen.findByRole("table");
    screen.getByPlaceholderText("Nome, Documento, Chave Pix, etc.");
    expect(asked()).toEqual([
      { page: "1", initialDate: "2026-10-01", endDate: "2026-10-31", type: "BASIC", valid: "false" },
    ]);
    await userEvent.click(screen.getByRole("button", { name: "Status: Inválido" }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "Validando" }));
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ microDepositValidated: "false", page: "0" }));
    await userEvent.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).toBe(history));
  });

  it("SES-070 says above what is there that it could not be read again, and reads again on demand", async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let row = underWay;
    const answer = () => ({ data: [row], metadata: { pagination: { itemsPerPage: 12, totalItems: 1 } } });
    fakeServer.on(listValidations, answer);
    open(history);
    await screen.findByText("Validando");
    fakeServer.on(listValidations, () => refuse("internal"));
    await act(() => vi.advanceTimersByTimeAsync(10_100));
    await screen.findByText("Não foi possível carregar as validações");
    expect(screen.getByText("Validando")).toBeTruthy();
    row = build({ type: "MICRO_DEPOSIT", micro_deposit_status: "TRANSFERRED" });
    fakeServer.on(listValidations, answer);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Validado");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("VAL-026 opens a row in full screen, from where it is made once more", async () => {
    const app = open(history);
    await userEvent.click(await screen.findByText("Ag. 1234 · Conta 56789-7"));
    const modal = within(await screen.findByRole("dialog", { name: "Resultado da validação" }));
    await modal.findByText("Os dados bancários informados estão corretos.");
    expect(app.address()).toBe(`${history}?validacao=${id}`);
    await userEvent.click(modal.getByRole("button", { name: "Refazer validação" }));
    await waitFor(() => expect(app.address()).toBe(`/contacerta/validacoes/nova?refazer=${id}`));
    expect((await field("Conta")).value).toBe("56789");
  });

  it("VAL-027 says that nothing was found, and leads to the form", async () => {
    open(`${history}?busca=ninguem`);
    await screen.findByText("Nenhuma validação foi encontrada");
    const links = within(screen.getByRole("main")).getAllByRole("link", { name: "Nova validação" });
    expect(links.at(-1)?.getAttribute("href")).toBe("/contacerta/validacoes/nova");
    expect(asked()).toMatchObject([{ searchTerm: "ninguem" }]);
  });
});
