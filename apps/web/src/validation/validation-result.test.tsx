/** Result of a validation: polled, shown, and repeated. */
import {
  downloadValidationBankReceipt,
  downloadValidationReceipt,
  readValidation,
  type Validation,
} from "@malote/contracts/validation";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { watchSavedFiles } from "../testing/saved-files.ts";
import {
  build,
  byKey,
  field,
  id,
  open,
  radio,
  send,
  sent,
  serveValidation,
  type,
  underWay,
} from "../testing/validation.ts";
import { messagesOf } from "./validation-texts.ts";

const { served } = serveValidation();

describe("the result", () => {
  const address = `/contacerta/validacoes/nova?validacao=${id}`;
  const scopeLines = () =>
    screen.getAllByText(/onferido:$/).map(({ parentElement: line }) => line?.textContent);

  it("VAL-001 VAL-018 lists beside the answer what was checked, and what was not", async () => {
    const app = open(address);
    await screen.findByText("Os dados bancários informados estão corretos.");
    screen.getByRole("heading", { name: "Validações", level: 1 });
    expect(scopeLines()).toEqual([
      "Conferido: dígitos verificadores do CPF ou CNPJ; banco, tipo de conta e formato de agência e conta; dígito verificador da conta, pela regra do banco.",
      "Não conferido: se a conta existe e recebe créditos; se a conta é do CPF ou CNPJ informado; se o nome é o do titular. Para conferir a conta e o titular, faça um microdepósito.",
    ]);
    // Only a micro deposit shows this.
    expect(screen.queryByText(/comprovante está disponível/)).toBeNull();
    app.unmount();
    served.kept = build({ checked: ["pix_key_form", "pix_key_exists"], not_checked: [], data: byKey });
    open(address);
    await screen.findByText("Os dados bancários informados estão corretos.");
    expect(scopeLines()).toEqual(["Conferido: formato da chave Pix; se a chave existe e recebe Pix."]);
  });

  it("VAL-018 FST-024 reports a completed deposit, and offers its receipt", async () => {
    served.kept = build({
      type: "MICRO_DEPOSIT",
      micro_deposit_status: "TRANSFERRED",
      receipt_url: "/receipt",
      bank_receipt_url: "/bank",
      checked: ["tax_id_digits", "account_exists", "account_holder"],
      not_checked: ["name"],
    });
    fakeServer.on(downloadValidationReceipt, () => new Blob(["%PDF"]));
    fakeServer.on(downloadValidationBankReceipt, () => new Blob(["%PDF"]));
    open(address);
    await screen.findByText("Os dados bancários informados estão corretos.");
    screen.getByText("O depósito de R$ 0,01 foi feito e o comprovante está disponível.");
    expect(scopeLines()).toEqual([
      "Conferido: dígitos verificadores do CPF ou CNPJ; se a conta existe e recebe créditos; se a conta é do CPF ou CNPJ informado.",
      "Não conferido: se o nome é o do titular.",
    ]);
    const saved = watchSavedFiles();
    await userEvent.click(screen.getByRole("button", { name: "Baixar comprovante" }));
    await waitFor(() => expect(saved).toEqual(["comprovante-padaria-sol-nascente.pdf"]));
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_DOWNLOADED_RECEIPTS"]));
    expect(fakeServer.calls(downloadValidationBankReceipt)).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Comprovante do banco" }));
    await waitFor(() => expect(saved).toContain("comprovante-do-banco-padaria-sol-nascente.pdf"));
    await waitFor(() => expect(recordedMarks()).toEqual(Array(2).fill("HAS_DOWNLOADED_RECEIPTS")));
    for (const receipt of [downloadValidationReceipt, downloadValidationBankReceipt])
      expect(fakeServer.calls(receipt).map(({ params }) => params)).toEqual([{ id }]);
  });

  it("VAL-016 VAL-020 shows one message for each field, with its suggestion", async () => {
    served.kept = build({
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
        {
          code: "account_not_found",
          field: "account",
          message: "Conta não encontrada",
          // Every field that a suggestion may name.
          suggestion: {
            name: "Maria Teles",
            cpf_cnpj: "52998224725",
            account: "123",
            account_digit: "4",
            account_type: "CONTA_POUPANCA",
            agency: "1584",
            pix_key: "maria@exemplo.com.br",
          },
        },
      ],
    });
    open(address);
    await screen.findByText("Os dados bancários informados estão incorretos.");
    const lines = within(screen.getByRole("status")).getAllByRole("listitem");
    expect(lines.map((line) => line.textContent)).toEqual([
      "Dígito da conta: Conta ou dígito verificador da conta inválidoSugestão: Dígito da conta 7",
      "Dígito da agência: Dígito da agência não é válidoSugestão: 9",
      "Conta: Conta não encontradaSugestões: Nome Maria Teles, CPF ou CNPJ 529.982.247-25, Conta 123, Dígito da conta 4, Tipo de conta Conta poupança, Agência 1584, Chave Pix maria@exemplo.com.br",
    ]);
  });

  it("VAL-020 shows several suggestions of one field together", () => {
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

  it("takes the focus from the form", async () => {
    open(address);
    const heading = await screen.findByRole("heading", { name: "Dados validados" });
    expect(document.activeElement).toBe(heading);
  });

  it("VAL-018 VAL-021 polls while a deposit is pending, until there is a result", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    served.kept = underWay;
    open(address);
    await screen.findByText("Validando os dados…");
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    const before = fakeServer.calls(readValidation).length;
    expect(before).toBeGreaterThanOrEqual(2);
    served.kept = build({
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
  ])("VAL-021 reads %s once", async (_, without) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    served.kept = without;
    open(address);
    await waitFor(() => expect(fakeServer.calls(readValidation)).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(fakeServer.calls(readValidation)).toHaveLength(1);
  });

  it("SES-070 reports that polling failed, and resumes it on demand", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    served.kept = underWay;
    open(address);
    await screen.findByText("Validando os dados…");
    fakeServer.on(readValidation, () => refuse("internal"));
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await screen.findByText("Não foi possível atualizar o resultado");
    served.kept = build({ type: "MICRO_DEPOSIT", micro_deposit_status: "TRANSFERRED" });
    fakeServer.on(readValidation, () => served.kept);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Os dados bancários informados estão corretos.");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("VAL-019 VAL-022 gives up after 30 times every 2 seconds, and links to the history", async () => {
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

  it("VAL-023 starts a new, empty validation, or repeats the same one", async () => {
    served.kept = build({
      data: { ...byKey, pix_key: "+5511987654321", pix_key_type: "TELEFONE", cpf_cnpj: null },
    });
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

  it("VAL-023 repeats a validation of an account with all its data", async () => {
    served.kept = build({ type: "MICRO_DEPOSIT", data: { ...build().data, agency_digit: "3" } });
    open(address);
    await userEvent.click(await screen.findByRole("button", { name: "Refazer validação" }));
    expect((await radio("Conta bancária")).checked).toBe(true);
    await send();
    await waitFor(() => expect(sent()).toHaveLength(1));
    expect(sent().map(({ query, body }) => [query, body])).toEqual([
      [
        { type: "MICRO_DEPOSIT" },
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
  });

  it.each([
    ["CPF", "52998224725", "CPF/CNPJ", "CPF ou CNPJ", "529.982.247-25"],
    ["CNPJ", "11222333000181", "CPF/CNPJ", "CPF ou CNPJ", "11.222.333/0001-81"],
    ["EMAIL", "maria@exemplo.com.br", "E-mail", "E-mail", "maria@exemplo.com.br"],
    [
      "CHAVE_ALEATORIA",
      "123e4567-e89b-12d3-a456-426614174000",
      "Chave aleatória",
      "Chave aleatória",
      "123e4567-e89b-12d3-a456-426614174000",
    ],
  ] as const)(
    "VAL-023 makes one of a key once more as it was: %s",
    async (pix_key_type, pix_key, kind, label, shown) => {
      const data = { ...byKey, name: "Maria Teles", cpf_cnpj: null, pix_key, pix_key_type };
      served.kept = build({ bank_code: null, bank_ispb: null, data });
      open(address);
      await userEvent.click(await screen.findByRole("button", { name: "Refazer validação" }));
      expect((await radio(kind)).checked).toBe(true);
      expect((await field(label)).value).toBe(shown);
      await send();
      await waitFor(() => expect(sent()).toHaveLength(1));
      expect(sent().map(({ query, body }) => [query, body])).toEqual([
        [{ type: "BASIC" }, { name: "Maria Teles", pix_key, pix_key_type }],
      ]);
    },
  );

  describe("VAL-023 repeating a program's validation of a key with its holder", () => {
    const holder = "52998224725";
    const ofHolder = { pix_key_validation: { cpf_cnpj: holder } };
    const label = "CPF ou CNPJ do titular (opcional)";
    const again = async (changes: Partial<Validation>, data: Partial<Validation["data"]>) => {
      served.kept = build({
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
    ] as const)("shows the holder, %s, and sends it under the original name: %o", async (type, data) => {
      await again({ type }, data);
      expect((await field(label)).value).toBe("529.982.247-25");
      expect(await lastSent()).toEqual({ query: { type }, body: { ...email, ...data } });
    });

    it("keeps both fields under different labels when both were given", async () => {
      await again({ type: "BASIC" }, { cpf_cnpj: "11222333000181", ...ofHolder });
      expect((await field("CPF ou CNPJ (opcional)")).value).toBe("11.222.333/0001-81");
      expect((await field(label)).value).toBe("529.982.247-25");
      expect((await lastSent()).body).toEqual({ ...email, cpf_cnpj: "11222333000181", ...ofHolder });
    });

    it("keeps the field when it is emptied or the type is changed, and sends its content", async () => {
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

  it("reports that it cannot be read, and retries", async () => {
    fakeServer.on(readValidation, () => refuse("not_found"));
    open(address);
    await screen.findByText("Não foi possível carregar o resultado");
    fakeServer.on(readValidation, () => served.kept);
    await userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Os dados bancários informados estão corretos.");
  });
});
