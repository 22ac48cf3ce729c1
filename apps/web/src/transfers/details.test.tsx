/** All details of one payment, and the fields that may change. */
import { createCheckpoint } from "@malote/contracts/company";
import { readTransfer, type TransferDetails } from "@malote/contracts/transfers";
import { paymentStatuses } from "@malote/domain/payment-status";
import { cleanup, screen } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";
import { dialog, itau, transferDetails } from "../testing/transfer-details.ts";

let desk: Desk;
beforeAll(() => Promise.all([import("./transfer-wizard.tsx"), import("./transfer-details-dialog.tsx")]));
beforeEach(() => {
  desk = { batch: buildOpenBatch(), transfers: [buildTransfer()], balance: 0, filledFirstSteps: true };
  serveBatch(desk);
});

const { open } = transferDetails(() => desk);

/** Lines of the details, by name. */
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
  it("TRF-001 TRF-003 TRF-004 TRF-055 show every field that has a value, with refunds, code and the key's holder", async () => {
    const id = testId(71);
    const shown = await linesShown({
      id,
      status: "RETURNED",
      status_description: "Conta encerrada",
      value: 151_23,
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
      Devolução: "R$\u00a0150,00 em 22/11/2026 10:00 · D8888",
      "Tipo do código Pix": "Cobrança com vencimento",
      "Valor do código Pix": "R$\u00a0140,00",
      Vencimento: "30/11/2026",
      Multa: "R$\u00a05,00",
      Juros: "R$\u00a04,00",
      Desconto: "R$\u00a03,00",
      Abatimento: "R$\u00a02,00",
      Txid: "tx1",
      "Código Pix (copia e cola)": "000201",
      Identificador: id,
    });
    const dialogShown = await dialog("Detalhes da transferência");
    dialogShown.getByText(/^R\$\s151,23$/);
    dialogShown.getByText("Conta encerrada");
    dialogShown.getByText("Devolvida");
  });

  it.each([
    ["STATIC", "QR Code estático"],
    ["IMMEDIATE_COLLECTION", "Cobrança imediata"],
    ["A_TYPE_OF_TOMORROW", undefined],
  ])(
    "TRF-004 show for a code of type %s amount and txid only, and its name when it is known",
    async (type, name) => {
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
      expect(shown["Tipo do código Pix"]).toBe(name);
      for (const other of ["Vencimento", "Multa", "Juros", "Desconto", "Abatimento"])
        expect(shown).not.toHaveProperty(other);
    },
  );

  it("TRF-003 TRF-055 show each of several refunds, one without a code by its amount and moment alone", async () => {
    const refund = { id: testId(72), settled_at: "2026-11-22T13:00:00.000Z" };
    const shown = await linesShown({
      status: "RETURNED",
      refunds: [
        { ...refund, amount: 100_00, authorization_code: "D1" },
        { ...refund, id: testId(73), amount: 50_00, authorization_code: null },
      ],
    });
    expect(shown).toMatchObject({
      "Devolução 1": "R$\u00a0100,00 em 22/11/2026 10:00 · D1",
      "Devolução 2": "R$\u00a050,00 em 22/11/2026 10:00",
    });
  });

  it.each([
    ["whose document is the payment's", false],
    ["of a payment without a document", null],
  ])("TRF-055 name a key's holder %s without a warning", async (_whose, differs) => {
    const key_holder = {
      status: "found" as const,
      name: "Marina Lopes",
      cpf_cnpj: "***.982.247-**",
      bank: itau,
      is_salary_account: false,
      differs,
      asked_at: "2026-11-20T19:42:00.000Z",
      asked_by: "Rui",
    };
    const shown = await linesShown({ status: "FINISHED", key_holder });
    expect(shown["Titular da chave"]).toBe("Marina Lopes · ***.982.247-**");
  });

  it.each([
    ["TED", "TED"],
    ["TEV", "Transferência interna"],
  ] as const)("TRF-001 TRF-055 show the method and the account of a %s, and no key", async (method, name) => {
    const shown = await linesShown({
      status: "FINISHED",
      payment_method: method,
      destination_bank_account: {
        ...buildTransfer().destination_bank_account,
        pix_key: null,
        pix_key_type: null,
        Bank: itau,
        agency: "1234",
        account: "56789",
        account_digit: "7",
        account_type: "CONTA_POUPANCA",
      },
    });
    expect(shown).toMatchObject({
      "Forma de pagamento": name,
      Banco: "341 · Itaú Unibanco",
      Agência: "1234",
      Conta: "56789-7",
      "Tipo de conta": "Conta poupança",
    });
    expect(Object.keys(shown).filter((line) => /chave/i.test(line))).toEqual([]);
  });

  it("TRF-055 omit fields without a value", async () => {
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

  it("TRF-044 TRF-055 show 'Hoje' for a payment without a day that was not sent yet", async () => {
    expect((await linesShown({ status: "CREATED" }))["Data do pagamento"]).toBe("Hoje");
  });

  it("TRF-044 TRF-055 show the business day of a TED that no longer leaves today", async () => {
    const warnings = [{ code: "ted_next_business_day", field: "payment_date", data: { date: "23/11/2026" } }];
    const shown = await linesShown({ status: "CREATED", payment_method: "TED", warnings });
    expect(shown["Data do pagamento"]).toBe("23/11/2026");
  });

  it("FST-024 record that a payment was opened, wherever it is opened from", async () => {
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
    await linesShown({ status: "FINISHED" });
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_OPENED_PAYMENT" },
    ]);
  });

  it("FST-025 open when the mark cannot be stored", async () => {
    const shown = linesShown({ status: "FINISHED" });
    refuseMarks();
    expect((await shown)["Recebedor"]).toBeTruthy();
    await expectQuietReport();
    expect(recordedMarks()).toEqual(["HAS_OPENED_PAYMENT"]);
  });

  it("TRF-054 cut the name at 40 characters", async () => {
    const name = "Associação Beneficente dos Aposentados de Aurora";
    const to = { ...buildTransfer().destination_bank_account, name };
    expect((await linesShown({ status: "FINISHED", destination_bank_account: to }))["Recebedor"]).toBe(
      "Associação Beneficente dos Aposentados d…",
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
  it.each(paymentStatuses)("TRF-007 name and colour a payment in %s", async (status) => {
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status })];
    open(desk.transfers[0]?.id ?? "");
    await screen.findByText("Identificador");
    const shown = await dialog("Detalhes da transferência");
    const [name, color] = looks[status];
    expect(shown.getByText(name).closest("[data-color]")?.getAttribute("data-color")).toBe(color);
  });
});
