import { listAccountTypes, listBanks, readBank, readDefaultPaymentMethod } from "@malote/contracts/company";
import { downloadBankReceipt, downloadReceipt } from "@malote/contracts/receipts";
import { readBlacklist } from "@malote/contracts/transfers";
import { listValidationBanks, readValidationCompanySettings } from "@malote/contracts/validation";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it, vi } from "vitest";
import listStyles from "../payments/payment-list.module.css";
import { createQueryClient } from "../shell/query-client.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";
import { validationBanksQuery, validationSettingsQuery } from "../validation/api.ts";
import { accountTypesQuery, bankQuery, banksQuery, blacklistQuery, paymentMethodQuery } from "./api.ts";
import { destinationText, taxIdText } from "./destination-text.ts";
import { lookOfTransfer } from "./transfer-status.ts";

let desk: Desk;
const warning = { code: "integration_id_duplicated", field: "integration_id" };
const reasonTitle = "Motivo da falha informado pelo banco:";
const otherHolder = "CPF/CNPJ informado para pagamento diverge com o CPF/CNPJ do titular da chave.";
const noKeyOfTed = "Conta sem chave de acesso";
const validationField = /para validação/;

function serve(status: Desk["batch"]["status"], transfer: Parameters<typeof buildTransfer>[0] = {}): string {
  const only = buildTransfer(transfer);
  desk = { batch: buildOpenBatch({ status }), transfers: [only], balance: 0, filledFirstSteps: true };
  serveBatch(desk);
  return only.id;
}
const open = (pagamento?: string) =>
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}${pagamento ? `&pagamento=${pagamento}` : ""}`);
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

// Loads the screens in advance, so that the first test does not wait for them.
beforeAll(() => Promise.all([import("./transfer-wizard.tsx"), import("./transfer-details-dialog.tsx")]));

describe("a payment's card", () => {
  it("TRF-008 shows 'Alerta', in yellow, for a warning", () => {
    expect(lookOfTransfer(buildTransfer({ warnings: [warning] }))).toMatchObject({
      name: "Alerta",
      color: "yellow",
    });
    expect(lookOfTransfer(buildTransfer()).name).toBe("Criada");
  });

  it.each([
    ["52998224726", "CPF inválido"],
    ["11222333000182", "CNPJ inválido"],
    ["", "CPF/CNPJ não informado"],
  ])("TRF-007 shows for a draft the document '%s' as '%s'", (cpf_cnpj, name) => {
    const errors = [{ code: "tax_id_invalid", field: "cpf_cnpj" }];
    expect(lookOfTransfer(buildTransfer({ errors, to: { cpf_cnpj } }))).toMatchObject({ name, color: "red" });
  });

  it("TRF-007 TRF-024 shows the mistake of a draft in place of 'Criada', and the key's by its type", async () => {
    serve("DRAFT", { errors: [{ code: "pix_key_cpf_invalid", field: "pix_key" }] });
    desk.transfers.push(
      buildTransfer({
        errors: [{ code: "payment_date_expired", field: "payment_date" }],
        to: { name: "Ivo Reis" },
      }),
    );
    open();
    const pillOf = async (name: string) => (await screen.findByText(name)).closest("[data-color]");
    expect((await pillOf("CPF inválido"))?.getAttribute("data-color")).toBe("red");
    expect((await pillOf("Data já passou"))?.getAttribute("data-color")).toBe("red");
    screen.getByText("CPF inválido: A chave Pix deve ser válida");
    expect(screen.queryByText("Criada")).toBeNull();
  });

  it("TRF-012 shows 'Chave Pix inválida' in red, and any other reason in the bank's words", async () => {
    serve("RECEIVED", { status: "FAILED", status_description: "Chave não encontrada no DICT" });
    desk.transfers.push(
      buildTransfer({ status: "FAILED", status_description: "Conta encerrada", to: { name: "Ivo Reis" } }),
      // The key is right; the document has to be corrected.
      buildTransfer({ status: "FAILED", status_description: otherHolder, to: { name: "Zeca" } }),
      buildTransfer({ status: "FAILED", status_description: noKeyOfTed, payment_method: "TED" }),
    );
    open();
    expect((await screen.findByText("Chave Pix inválida")).className).toContain(listStyles["wrong"]);
    for (const reason of ["Conta encerrada", otherHolder, noKeyOfTed])
      expect(screen.getByText(reason).className).not.toContain(listStyles["wrong"]);
  });

  it("TRF-012 shows 'Chave Pix inválida' in red for a draft to a receiver whose last Pix failed by its key", async () => {
    const reason = "Chave PIX não encontrada.";
    serve("DRAFT", { to: { status: "FAILED", status_description: reason } });
    open();
    expect((await screen.findByText("Chave Pix inválida")).className).toContain(listStyles["wrong"]);
    expect(screen.queryByText(reason)).toBeNull();
  });

  it("TRF-013 cuts the name at 42 characters", async () => {
    serve("FINISHED", { status: "FINISHED", to: { name: "a".repeat(42) } });
    desk.transfers.push(buildTransfer({ status: "FINISHED", to: { name: "b".repeat(43) } }));
    open();
    await screen.findByText("a".repeat(42));
    screen.getByText(`${"b".repeat(42)}…`);
  });

  it("TRF-013 cuts document and Pix key on the card itself", async () => {
    serve("FINISHED", {
      status: "FINISHED",
      to: { cpf_cnpj: "x".repeat(19), pix_key: "k".repeat(43), pix_key_type: "EMAIL" },
    });
    open();
    await screen.findByText(`${"x".repeat(18)}…`);
    screen.getByText(`Chave e-mail · ${"k".repeat(42)}…`);
  });

  it("TRF-013 cuts document at 18, Pix key at 42, agency and account at 10 and the digit at 1", () => {
    expect(taxIdText("27418639000148")).toBe("27.418.639/0001-48");
    expect(taxIdText("x".repeat(19))).toBe(`${"x".repeat(18)}…`);
    const to = (given: object) => buildTransfer({ to: given }).destination_bank_account;
    const key = (length: number) => to({ pix_key: "k".repeat(length), pix_key_type: "EMAIL" });
    expect(destinationText(key(42))).toContain("k".repeat(42));
    expect(destinationText(key(42))).not.toContain("…");
    expect(destinationText(key(43))).toContain(`${"k".repeat(42)}…`);
    const account = {
      pix_key: null,
      pix_key_type: null,
      agency: "1".repeat(11),
      agency_digit: "23",
      account: "4".repeat(11),
      account_digit: "56",
      account_type: "CONTA_CORRENTE",
    };
    expect(destinationText(to(account))).toBe(
      `Banco não informado · Ag. ${"1".repeat(10)}…-2 · CC ${"4".repeat(10)}…-5`,
    );
  });
});

describe("the wizard", () => {
  it.each([
    ["with the bank's reason", "Conta encerrada", "Conta encerrada"],
    ["without a reason", null, "O banco não informou o motivo."],
  ])("TRF-015 corrects a failed payment of a received batch, %s", async (_case, given, said) => {
    const user = userEvent.setup();
    open(serve("RECEIVED", { status: "FAILED", status_description: given }));
    await user.click(await screen.findByRole("button", { name: "Corrigir pagamento" }));
    const wizard = await dialog("Editar pagamento");
    wizard.getByText(reasonTitle);
    wizard.getByText(said);
    wizard.getByRole("button", { name: "Salvar correção" });
  });

  it("TRF-015 is a form for a payment of a draft, also with mistakes, and for a new one", async () => {
    const mistake = { code: "pix_key_invalid", field: "pix_key" };
    // Another payment to this receiver failed, for a reason that the card shows.
    const to = { status: "FAILED", status_description: "Conta encerrada" } as const;
    for (const given of [{ errors: [mistake] }, { to }]) {
      const app = open(serve("DRAFT", given));
      const edited = await dialog("Editar pagamento");
      edited.getByRole("button", { name: "Salvar pagamento" });
      expect(edited.queryByText(reasonTitle)).toBeNull();
      app.unmount();
    }
    open("novo");
    const made = await dialog("Criar novo pagamento");
    made.getByRole("button", { name: "Salvar pagamento" });
    expect(made.queryByText(reasonTitle)).toBeNull();
  });

  it("TRF-019 shows the document to validate for Pix alone", async () => {
    const user = userEvent.setup();
    serve("DRAFT");
    open("novo");
    await screen.findByLabelText(validationField);
    await user.click(screen.getByRole("radio", { name: "Conta bancária" }));
    expect(screen.queryByLabelText(validationField)).toBeNull();
  });

  it.each([
    ["CREATED", true],
    ["RETURNED", false],
    ["REQUESTED_REFUND", false],
  ] as const)("TRF-019 shows the document to validate in %s: %s", async (status, asks) => {
    open(serve("DRAFT", { status }));
    await screen.findByLabelText("Chave Pix (E-mail)");
    expect(screen.queryByLabelText(validationField) !== null).toBe(asks);
  });

  it("TRF-019 shows the document to validate while correcting a failed Pix", async () => {
    const user = userEvent.setup();
    open(serve("RECEIVED", { status: "FAILED" }));
    await user.click(await screen.findByRole("button", { name: "Corrigir pagamento" }));
    await screen.findByLabelText(validationField);
  });
});

describe("the details", () => {
  async function details() {
    await screen.findByText("Recebedor");
    return dialog("Detalhes da transferência");
  }

  const bank_receipt_url = "/api/payments/app/transfer/x/bankReceipt";
  const receipt_url = "/api/payments/app/transfer/x/receipt";
  const ofButton = { name: "Baixar comprovante" };

  it.each(["TRANSFERRED", "FINISHED", "RETURNED"] as const)(
    "TRF-056 offer the available receipts, in %s",
    async (status) => {
      open(serve("FINISHED", { status, bank_receipt_url, receipt_url }));
      const shown = await details();
      shown.getByRole("button", { name: "Comprovante do banco" });
      shown.getByRole("button", ofButton);
    },
  );

  it.each([
    ["nothing when there is no receipt", {}, []],
    ["the bank's document alone", { bank_receipt_url }, ["Comprovante do banco"]],
    ["our receipt alone", { receipt_url }, ["Baixar comprovante"]],
  ])("TRF-056 offer %s", async (_case, receipts, offered) => {
    open(serve("FINISHED", { status: "FINISHED", ...receipts }));
    const buttons = (await details()).queryAllByRole("button", { name: /comprovante/i });
    expect(buttons.map(({ textContent }) => textContent)).toEqual(offered);
  });

  it("TRF-056 TRF-060 FST-024 save the receipt with the session's own token, under the receiver's name", async () => {
    const user = userEvent.setup();
    const saved = watchSavedFiles();
    fakeServer.on(downloadReceipt, () => ({}));
    const id = serve("FINISHED", { status: "FINISHED", receipt_url, to: { name: "Zoë D'Ávila" } });
    open(id);
    await user.click((await details()).getByRole("button", ofButton));
    await waitFor(() => expect(saved).toEqual(["comprovante-zoe-d-avila.pdf"]));
    await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_RECEIPTS"));
    const [asked] = fakeServer.calls(downloadReceipt);
    expect(asked?.params).toEqual({ id });
    expect(asked?.headers.get("authorization")).toMatch(/^Bearer /);
    expect(screen.queryByText(/^Download iniciado/)).toBeNull();
  });

  it("TRF-001 TRF-056 TRF-060 FST-024 save the bank's own document, and report when the bank has none", async () => {
    const user = userEvent.setup();
    const saved = watchSavedFiles();
    fakeServer.on(downloadBankReceipt, () => ({}));
    const id = serve("FINISHED", { status: "FINISHED", bank_receipt_url, to: { name: "Zoë D'Ávila" } });
    open(id);
    await user.click((await details()).getByRole("button", { name: "Comprovante do banco" }));
    await waitFor(() => expect(saved).toEqual(["comprovante-do-banco-zoe-d-avila.pdf"]));
    expect(fakeServer.calls(downloadBankReceipt)[0]?.params).toEqual({ id });
    await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_RECEIPTS"));
    expect(screen.queryByText(/^Download iniciado/)).toBeNull();
    fakeServer.on(downloadBankReceipt, () => refuse("bank_receipt_missing"));
    await user.click((await details()).getByRole("button", { name: "Comprovante do banco" }));
    const failed = await dialog("Não foi possível baixar os comprovantes");
    expect(failed.getByRole("alert").textContent).toContain("O banco ainda não enviou o comprovante");
  });

  it("TRF-065 explain why a receipt could not be downloaded", async () => {
    const user = userEvent.setup();
    fakeServer.on(downloadReceipt, () => refuse("receipt_missing"));
    open(serve("FINISHED", { status: "FINISHED", receipt_url }));
    await user.click((await details()).getByRole("button", ofButton));
    const failed = await dialog("Não foi possível baixar os comprovantes");
    expect(failed.getByRole("alert").textContent).toContain("Este pagamento não tem comprovante");
    await user.click(failed.getByRole("button", { name: "Voltar" }));
    (await details()).getByRole("button", ofButton);
  });
});

it.each([
  ["SES-078 SET-026 the banks", listBanks, banksQuery, {}],
  [
    "SES-078 VAL-011 the banks of basic validations",
    listValidationBanks,
    validationBanksQuery("BASIC"),
    { pix: "false" },
  ],
  [
    "SES-078 VAL-011 the banks of micro deposits",
    listValidationBanks,
    validationBanksQuery("MICRO_DEPOSIT"),
    { pix: "true" },
  ],
  ["SES-078 a bank", readBank, bankQuery("60701190"), {}],
  ["SES-078 a bank's account types", listAccountTypes, accountTypesQuery("60701190"), {}],
  [
    "SES-078 a bank's way of payment",
    readDefaultPaymentMethod,
    paymentMethodQuery("341"),
    { bankCode: "341" },
  ],
  ["SES-078 TRF-030 the blacklist", readBlacklist, blacklistQuery, {}],
  ["SES-078 the settings of validations", readValidationCompanySettings, validationSettingsQuery, {}],
] as const)(
  "%s are requested once, also after an hour in which no screen showed them",
  async (_name, one, query, words) => {
    vi.useFakeTimers();
    serve("DRAFT");
    const bank = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
    fakeServer.on(readBank, () => bank);
    fakeServer.on(listAccountTypes, () => ({ data: ["CONTA_CORRENTE" as const] }));
    fakeServer.on(readDefaultPaymentMethod, () => ({ payment_method: "TED" as const }));
    fakeServer.on(listValidationBanks, () => ({ data: [] }));
    fakeServer.on(readValidationCompanySettings, () => ({
      uses_basic_validation: true,
      uses_micro_deposit: true,
    }));
    const queryClient = createQueryClient();
    const ask = () => queryClient.fetchQuery(query as typeof banksQuery);
    await ask();
    await vi.advanceTimersByTimeAsync(3_600_000);
    await ask();
    expect(fakeServer.calls(one).map(({ query }) => query)).toEqual([words]);
  },
);
