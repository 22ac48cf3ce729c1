import { describe, expect, it } from "vitest";
import { paymentStatuses } from "./payment-status.ts";
import { hasReceipt, type PaidPayment, receiptOf } from "./receipt.ts";

const payer = {
  name: "Aurora Papelaria e Serviços",
  taxId: "27418639000148",
  agency: "0001",
  account: "10184",
  accountDigit: "7",
};
const paid = (given: Partial<PaidPayment> = {}): PaidPayment => ({
  id: "01990000-0000-7000-8000-000000000001",
  value: 1_234_56,
  paymentMethod: "PIX",
  paidAt: new Date("2026-08-13T02:59:59Z"),
  batchName: "Folha 08/2026",
  name: "Marina Lopes",
  taxId: "52998224725",
  bankIspb: null,
  agency: null,
  agencyDigit: null,
  account: null,
  accountDigit: null,
  accountType: null,
  pixKeyType: "EMAIL",
  pixKey: "marina@exemplo.com.br",
  description: null,
  barcode: null,
  dueDate: null,
  integrationId: null,
  endToEndId: "E9999959320260813025900000000001",
  ...given,
});
const linesOf = (given?: Partial<PaidPayment>) =>
  receiptOf(payer, paid(given)).sections.map(({ heading, lines }) => [
    heading,
    Object.fromEntries(lines.map(({ label, text }) => [label, text])),
  ]);

describe("payments with a receipt", () => {
  it.each(paymentStatuses)("TRF-056 %s", (status) => {
    expect(hasReceipt(status)).toBe(status === "TRANSFERRED" || status === "FINISHED");
  });
});

describe("content of a receipt", () => {
  it("TRF-056 shows value, day and hour in São Paulo, both sides, and the payment", () => {
    const receipt = receiptOf(payer, paid({ description: "Salário <b>agosto</b>", integrationId: "RH-7" }));
    expect(receipt).toMatchObject({
      title: "Comprovante de Pix",
      value: "R$ 1.234,56",
      // Still the twelfth in São Paulo.
      paidAt: "12/08/2026 às 23:59:59 (horário de Brasília)",
    });
    expect(linesOf({ description: "Salário <b>agosto</b>", integrationId: "RH-7" })).toEqual([
      ["Quem recebeu", { Nome: "Marina Lopes", CPF: "***.982.247-**", "Chave Pix": "marina@exemplo.com.br" }],
      [
        "Quem pagou",
        {
          Nome: "Aurora Papelaria e Serviços",
          CNPJ: "27.418.639/0001-48",
          Instituição: "593 · Mesa Pagamentos IP",
          Agência: "0001",
          Conta: "10184-7",
        },
      ],
      [
        "Sobre o pagamento",
        {
          Forma: "Pix",
          Descrição: "Salário agosto",
          Lote: "Folha 08/2026",
          "ID de integração": "RH-7",
          "ID da transação (EndToEnd)": "E9999959320260813025900000000001",
          Identificador: "01990000-0000-7000-8000-000000000001",
        },
      ],
    ]);
  });

  it("TRF-056 shows bank, agency and account of a TED, and a company's complete CNPJ", () => {
    const [[, receiver]] = linesOf({
      paymentMethod: "TED",
      name: "Padaria Sol Nascente",
      taxId: "48L7XQ9B000106",
      pixKey: null,
      pixKeyType: null,
      bankIspb: "60701190",
      agency: "1234",
      agencyDigit: "5",
      account: "56789",
      accountDigit: "7",
      accountType: "CONTA_CORRENTE",
    }) as [[string, object]];
    expect(receiver).toEqual({
      Nome: "Padaria Sol Nascente",
      CNPJ: "48.L7X.Q9B/0001-06",
      Instituição: "341 · Itaú Unibanco",
      Agência: "1234-5",
      Conta: "56789-7",
      "Tipo de conta": "Conta corrente",
    });
  });

  it.each([
    ["PIX", "Comprovante de Pix", "ID da transação (EndToEnd)"],
    ["TED", "Comprovante de TED", "ID da transação"],
    ["TEV", "Comprovante de transferência interna", "ID da transação"],
  ] as const)("TRF-056 names the method of a %s", (paymentMethod, title, idLabel) => {
    const receipt = receiptOf(payer, paid({ paymentMethod }));
    expect(receipt.title).toBe(title);
    expect(receipt.sections[2]?.lines.map(({ label }) => label)).toContain(idLabel);
  });

  it("masks a person's CPF also when it is the key, and omits unknown values", () => {
    const [[, receiver]] = linesOf({ name: null, taxId: null, pixKeyType: "CPF", pixKey: "52998224725" }) as [
      [string, object],
    ];
    expect(receiver).toEqual({ "Chave Pix": "***.982.247-**" });
  });
});
