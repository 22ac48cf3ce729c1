/** Everything that is shown of one payment, and what may be changed of it. */
import { createCheckpoint, readCompanySettings } from "@malote/contracts/company";
import {
  addTransfer,
  changeTransfer,
  readTransfer,
  type TransferDetails,
  type TransferInput,
} from "@malote/contracts/transfers";
import { transferCardLineMax } from "@malote/domain/limits";
import { transferStatuses } from "@malote/domain/transfer";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuseWithoutCode } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";
import { destinationText } from "./destination-text.ts";
import { cardState, failReason } from "./transfer-status.ts";

let desk: Desk;
beforeAll(() => Promise.all([import("./transfer-wizard.tsx"), import("./transfer-details-dialog.tsx")]));
beforeEach(() => {
  desk = { batch: buildOpenBatch(), transfers: [buildTransfer()], balance: 0, filledFirstSteps: true };
  serveBatch(desk);
});
const user = userEvent.setup();
function open(pagamento: string) {
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}&pagamento=${pagamento}`);
  fakeServer.on(readCompanySettings, () => ({
    ...buildCompanySettings(),
    accountLimits: { TED: 500_000, PIX: 100_000, TEV: 900_000, BILLET: 1 },
  }));
}
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };

/** What is in the list of the details, name by name. */
async function linesShown(given: Partial<TransferDetails>): Promise<Record<string, string>> {
  desk.batch = { ...desk.batch, status: "FINISHED" };
  const transfer = {
    ...buildTransfer(given),
    key_holder: null,
    Batch: { id: testId(1), name: "Folha" },
    ...given,
  };
  fakeServer.on(readTransfer, () => transfer);
  open(transfer.id);
  await screen.findByText("Identificador");
  const shown = await dialog("Detalhes da transferência");
  const names = shown.getAllByRole("term").map((term) => term.textContent);
  const texts = names.map(
    (name) => shown.getByText(name ?? "", { selector: "dt" }).nextElementSibling?.textContent,
  );
  return Object.fromEntries(names.map((name, at) => [name ?? "", texts[at] ?? ""]));
}

describe("the details", () => {
  it("TRF-001 TRF-003 TRF-004 TRF-055 show every field that has a value, with refunds, code and who holds the key", async () => {
    const id = testId(71);
    const shown = await linesShown({
      id,
      status: "RETURNED",
      value: 150_00,
      payment_method: "PIX",
      integration_id: "RH-7",
      pix_description: "Salário",
      payment_date: "2026-11-21",
      pix_key_validation: { cpf_cnpj: "52998224725" },
      transfer_date: "2026-11-21T13:00:00.000Z",
      returned_date: "2026-11-22T13:00:00.000Z",
      end_to_end_id: "E9999",
      sheet_row: 12,
      refunds: [{ id, amount: 150_00, settled_at: "2026-11-22T13:00:00.000Z", authorization_code: "D8888" }],
      emv: "000201",
      emv_data: {
        type: "DUE_DATE_COLLECTION",
        amount: 140_00,
        due_date: "2026-11-30",
        fine_amount: 5_00,
        interest_amount: 4_00,
        discount_amount: 3_00,
        abatment_amount: 2_00,
        txid: "tx1",
      },
      key_holder: {
        status: "found",
        name: "Marina Prado",
        cpf_cnpj: "***.982.247-**",
        bank: itau,
        is_salary_account: false,
        differs: true,
        asked_at: "2026-11-20T19:42:00.000Z",
        asked_by: "Rui",
      },
      destination_bank_account: {
        ...buildTransfer().destination_bank_account,
        email: "marina@recebe.com",
        bank_id: itau.ispb,
        Bank: itau,
        agency: "1234",
        agency_digit: "5",
        account: "56789",
        account_digit: "7",
        account_type: "CONTA_CORRENTE",
      },
    });
    expect(shown).toEqual({
      Recebedor: "Marina Lopes",
      "CPF ou CNPJ": "529.982.247-25",
      "E-mail": "marina@recebe.com",
      "Forma de pagamento": "Pix",
      "Tipo de chave": "E-mail",
      "Chave Pix": "marina@exemplo.com",
      "Titular da chave": "Marina Prado · ***.982.247-** (outro documento)",
      Banco: "341 · Itaú Unibanco",
      Agência: "1234-5",
      Conta: "56789-7",
      "Tipo de conta": "Conta corrente",
      "CPF/CNPJ para validação": "529.982.247-25",
      "Descrição Pix": "Salário",
      "Data do pagamento": "21/11/2026",
      "Criada em": "20/11/2026 16:42",
      "Transferida em": "21/11/2026 10:00",
      "Devolvida em": "22/11/2026 10:00",
      "ID da transação (EndToEnd)": "E9999",
      "ID de integração": "RH-7",
      "Linha da planilha": "12",
      Devolução: "R$ 150,00 em 22/11/2026 10:00 · D8888",
      "Tipo do código Pix": "Cobrança com vencimento",
      "Valor do código Pix": "R$ 140,00",
      Vencimento: "30/11/2026",
      Multa: "R$ 5,00",
      Juros: "R$ 4,00",
      Desconto: "R$ 3,00",
      Abatimento: "R$ 2,00",
      Txid: "tx1",
      "Código Pix (copia e cola)": "000201",
      Identificador: id,
    });
  });

  it.each(["STATIC", "IMMEDIATE_COLLECTION", "A_TYPE_OF_TOMORROW"])(
    "TRF-004 of a code of type %s show amount and txid only",
    async (type) => {
      const shown = await linesShown({
        status: "FINISHED",
        emv: "000201",
        emv_data: {
          type,
          amount: 140_00,
          due_date: "2026-11-30",
          fine_amount: 5_00,
          interest_amount: 4_00,
          discount_amount: 3_00,
          abatment_amount: 2_00,
          txid: "tx1",
        },
      });
      expect(shown).toMatchObject({
        "Valor do código Pix": expect.stringMatching(/^R\$\s140,00$/),
        Txid: "tx1",
      });
      for (const name of ["Vencimento", "Multa", "Juros", "Desconto", "Abatimento"])
        expect(shown).not.toHaveProperty(name);
    },
  );

  it("TRF-055 leave out what has no value", async () => {
    const shown = await linesShown({ status: "FINISHED" });
    expect(Object.keys(shown)).toEqual([
      "Recebedor",
      "CPF ou CNPJ",
      "Forma de pagamento",
      "Tipo de chave",
      "Chave Pix",
      "Criada em",
      "Identificador",
    ]);
  });

  it("FST-024 note that a payment was opened, wherever it is opened from", async () => {
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
    await linesShown({ status: "FINISHED" });
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_OPENED_PAYMENT" },
    ]);
  });

  it("FST-025 are there though the mark of it is not kept", async () => {
    const shown = linesShown({ status: "FINISHED" });
    refuseMarks();
    expect((await shown)["Recebedor"]).toBeTruthy();
    await expectQuietReport();
    expect(recordedMarks()).toEqual(["HAS_OPENED_PAYMENT"]);
  });

  it("TRF-054 cut the name at 40 characters", async () => {
    const name = "Associação Beneficente dos Funcionários de Aurora";
    const to = { ...buildTransfer().destination_bank_account, name };
    expect((await linesShown({ status: "FINISHED", destination_bank_account: to }))["Recebedor"]).toBe(
      `${name.slice(0, 40).trimEnd()}…`,
    );
  });

  it("TRF-054 cut the account at 40 characters, with its digit", async () => {
    const to = { ...buildTransfer().destination_bank_account, pix_key: null, pix_key_type: null, Bank: itau };
    const accountOf = async (account: string) =>
      (
        await linesShown({
          status: "FINISHED",
          payment_method: "TED",
          destination_bank_account: { ...to, account, account_digit: "7" },
        })
      )["Conta"];
    expect(await accountOf("1".repeat(60))).toBe(`${"1".repeat(40)}…`);
    cleanup();
    expect(await accountOf("1".repeat(38))).toBe(`${"1".repeat(38)}-7`);
  });

  const looks = {
    CREATED: ["Criada", "grey"],
    RECEIVED: ["Em processamento", "green"],
    SCHEDULED: ["Agendado", "blue"],
    TRANSFERRED: ["Transferida", "blue"],
    FINISHED: ["Transferida", "blue"],
    FAILED: ["Falha", "red"],
    RETURNED: ["Devolvida", "red"],
    EM_REMESSA: ["Em processamento", "green"],
    EXECUTING: ["Em processamento", "green"],
    FAILED_INTERNAL: ["Em processamento", "green"],
    BEING_RETURNED: ["Em devolução", "yellow"],
    REQUESTED_REFUND: ["A devolver", "yellow"],
  } as const;
  it.each(transferStatuses)("TRF-007 name and colour a payment in %s", async (status) => {
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status })];
    open(desk.transfers[0]?.id ?? "");
    await screen.findByText("Identificador");
    const shown = await dialog("Detalhes da transferência");
    const [name, color] = looks[status];
    expect(shown.getByText(name).closest("[data-color]")?.getAttribute("data-color")).toBe(color);
  });
});

describe("a card", () => {
  async function card() {
    renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`);
    return within((await screen.findByText("Marina Lopes")).closest("li") as HTMLElement);
  }
  const colorOf = (pill: HTMLElement) => pill.closest("[data-color]")?.getAttribute("data-color");
  const failedTo = { status: "FAILED", status_description: "Conta encerrada" } as const;
  const mistake = { code: "value_invalid", field: "value" } as const;
  const doubt = { code: "account_digit_unusual", field: "account_digit" } as const;

  it("TRF-010 TRF-011 of a draft to whom the last payment failed counts as failed, and says why", async () => {
    desk.transfers = [buildTransfer({ to: failedTo })];
    const shown = await card();
    expect(colorOf(shown.getByText("Recebedor com falha"))).toBe("red");
    shown.getByText("Conta encerrada");
  });

  it("TRF-010 says that it came back, or that something is worth a look", async () => {
    desk.transfers = [buildTransfer({ warnings: [doubt] })];
    expect(colorOf((await card()).getByText("Alerta"))).toBe("yellow");
    cleanup();
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status: "RETURNED", to: failedTo })];
    expect(colorOf((await card()).getByText("Devolvida"))).toBe("red");
  });

  it.each([
    ["failed", { errors: [mistake], warnings: [doubt] }],
    ["failed", { status: "FAILED" }],
    ["failed", { status: "CREATED", to: failedTo, warnings: [doubt] }],
    ["returned", { status: "RETURNED", to: failedTo, warnings: [doubt] }],
    ["warning", { warnings: [doubt] }],
    ["warning", { status: "SCHEDULED", to: failedTo, warnings: [doubt] }],
    ["plain", { status: "FINISHED", to: { status: "VERIFIED" } }],
    ["plain", { status: "SCHEDULED", to: failedTo }],
  ] as const)("TRF-010 counts as %s: %o", (state, given) => {
    expect(cardState(buildTransfer(given as Parameters<typeof buildTransfer>[0]))).toBe(state);
  });

  it.each(["FAILED", "RETURNED", "BEING_RETURNED", "REQUESTED_REFUND"] as const)(
    "TRF-011 in %s says the payment's own reason, else the account's",
    async (status) => {
      desk.batch = { ...desk.batch, status: "RECEIVED" };
      desk.transfers = [buildTransfer({ status, status_description: "Conta bloqueada", to: failedTo })];
      const own = await card();
      own.getByText("Conta bloqueada");
      expect(own.queryByText("Conta encerrada")).toBeNull();
      cleanup();
      desk.transfers = [buildTransfer({ status, to: failedTo })];
      (await card()).getByText("Conta encerrada");
    },
  );

  it.each(
    transferStatuses.filter(
      (status) => !["FAILED", "RETURNED", "BEING_RETURNED", "REQUESTED_REFUND"].includes(status),
    ),
  )("TRF-011 in %s says no reason", (status) => {
    expect(failReason(buildTransfer({ status, status_description: "velho" }))).toBeNull();
  });
});

it("TRF-013 TRF-054 on a card an agency takes at most 14 and an account 16 characters, of whatever length they are", () => {
  const to = buildTransfer().destination_bank_account;
  const long = {
    pix_key: null,
    agency: "1".repeat(30),
    account: "2".repeat(30),
    agency_digit: "x9",
    account_digit: "y8",
  };
  const [, agency = "", account = ""] = destinationText({ ...to, Bank: itau, ...long }).split(" · ");
  const number = (text: string) => text.slice(text.indexOf(text.match(/\d/)?.[0] ?? ""));
  expect(number(agency)).toBe("1111111111…-x");
  expect(number(account)).toBe("2222222222…-y");
  expect(number(agency).length).toBeLessThanOrEqual(transferCardLineMax.agency);
  expect(number(account).length).toBeLessThanOrEqual(transferCardLineMax.account);
});

describe("what may be changed", () => {
  const fieldsOf = async () => {
    const form = await dialog("Editar pagamento");
    return [
      await form.findByLabelText<HTMLInputElement>(/Qual o valor/),
      form.queryByLabelText("Data do pagamento"),
    ] as const;
  };

  it("TRF-018 value and date of a payment that was not sent", async () => {
    open(desk.transfers[0]?.id ?? "");
    const [value, day] = await fieldsOf();
    expect([value.disabled, (day as HTMLInputElement | null)?.disabled]).toEqual([false, false]);
  });

  it("TRF-018 neither of them in a correction", async () => {
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status: "FAILED", payment_date: "2026-11-20" })];
    open(desk.transfers[0]?.id ?? "");
    await user.click(await screen.findByRole("button", { name: "Corrigir pagamento" }));
    const [value, day] = await fieldsOf();
    expect(value.disabled).toBe(true);
    expect((day as HTMLInputElement | null)?.disabled ?? true).toBe(true);
  });

  it("TRF-045 says that correcting failed where nobody says why", async () => {
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status: "FAILED" })];
    fakeServer.on(changeTransfer, () => refuseWithoutCode());
    open(desk.transfers[0]?.id ?? "");
    await user.click(await screen.findByRole("button", { name: "Corrigir pagamento" }));
    await user.click(await screen.findByRole("button", { name: "Salvar correção" }));
    await screen.findByText("Ocorreu um erro ao editar a transferência");
    screen.getByRole("dialog", { name: "Editar pagamento" });
  });
});

describe("a new payment", () => {
  const sent = () => fakeServer.calls(addTransfer)[0]?.body as TransferInput | undefined;
  beforeEach(() => fakeServer.on(addTransfer, () => buildTransfer()));

  it("TRF-044 shows 'Hoje' for no date, disables the days before today, and refuses one that is typed", async () => {
    open("novo");
    const day = await screen.findByLabelText<HTMLInputElement>("Data do pagamento");
    expect(day.placeholder).toBe("Hoje");
    const calendar = day.closest("div")?.parentElement?.parentElement?.querySelector('input[type="date"]');
    const today = new Intl.DateTimeFormat("sv", { timeZone: "America/Sao_Paulo" }).format(new Date());
    expect(calendar?.getAttribute("min")).toBe(today);
    await user.type(screen.getByLabelText("Chave Pix (CNPJ)"), "72491638000183");
    await user.type(screen.getByLabelText(/Qual o valor/), "10");
    await user.type(day, "20112020");
    await user.click(screen.getByRole("button", { name: "Salvar pagamento" }));
    const refusal = "Data de pagamento inválida. A data do agendamento já passou";
    await screen.findByText(`Data do pagamento: ${refusal}`);
    screen.getByText(refusal);
    expect(sent()).toBeUndefined();
  });

  it("TRF-002 sends the fields that are known of a payment, an id it was given here, and no other", async () => {
    open("novo");
    await user.type(await screen.findByLabelText("Chave Pix (CNPJ)"), "72491638000183");
    await user.type(screen.getByLabelText(/Qual o valor/), "10");
    await user.click(screen.getByRole("button", { name: "Salvar pagamento" }));
    await waitFor(() => expect(sent()).toBeDefined());
    expect(Object.keys(sent() ?? {}).sort()).toEqual([
      "destination_bank_account",
      "id",
      "integration_id",
      "payment_date",
      "pix_description",
      "pix_key_validation",
      "value",
    ]);
  });
});
