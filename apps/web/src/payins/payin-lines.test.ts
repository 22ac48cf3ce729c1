/** Lines of a payin's details: each fact beside its own name. */
import type { Payin } from "@malote/contracts/payins";
import { expect, it } from "vitest";
import { buildPayin } from "../testing/payins.ts";
import { payinLines } from "./payin-lines.ts";

const linesOf = (payin: Payin) =>
  payinLines(payin).map(({ label, text }) => [label, text.replaceAll("\u00a0", " ")]);

it("PAY-020 PAY-021 PAY-022 names every fact of a payin beside its own value", () => {
  const { details } = buildPayin();
  const payin = buildPayin({
    status: "blocked",
    payment_type: "boleto",
    category: "settlement",
    payment_link_id: "0198f000-0000-7000-8000-0000000000d1",
    payment_link: { name: "Curso de outubro", description: "Turma da noite" },
    message: "Pedido 991",
    txid: "PEDIDO991",
    amount: 153_50,
    original_amount: 150_00,
    received_amount: 152_00,
    refunded_amount: 10_00,
    refundable_amount: 142_00,
    created_at: "2026-11-01T13:00:00.000Z",
    received_at: "2026-11-02T13:00:00.000Z",
    rejected_at: "2026-11-03T13:00:00.000Z",
    refund_expires_at: "2026-12-04T13:00:00.000Z",
    block: {
      block_reason: "Suspeita de fraude",
      amount: 142_00,
      blocked_at: "2026-11-05T13:00:00.000Z",
      kept_at: "2026-11-08T13:00:00.000Z",
      unblocked_at: "2026-11-09T13:00:00.000Z",
    },
    details: {
      ...details,
      installments: 3,
      digitable_line: "59390.00009",
      authorization_code: "123456",
      due_date: "2026-11-10",
      interest_type: "percentage_per_month",
      interest_percent: 1.5,
      fine_type: "fixed",
      fine_amount: 3_00,
    },
  });
  expect(linesOf(payin)).toEqual([
    ["CPF ou CNPJ", "***.982.247-**"],
    ["Método", "Boleto"],
    ["Link de pagamento", "Curso de outubro"],
    ["Descrição do link", "Turma da noite"],
    ["Mensagem do pagador", "Pedido 991"],
    ["Origem", "Repasse de recebíveis de cartão"],
    ["Valor cobrado", "R$ 150,00"],
    ["Valor recebido", "R$ 152,00"],
    ["Valor devolvido", "R$ 10,00"],
    ["Criado em", "01/11/2026 10:00"],
    ["Recebido em", "02/11/2026 10:00"],
    ["Rejeitado em", "03/11/2026 10:00"],
    ["Pode ser devolvido até", "04/12/2026 10:00"],
    ["Vencimento", "10/11/2026"],
    ["Parcelas", "3x"],
    ["Código de autorização", "123456"],
    ["Chave Pix", "pix@aurora.example"],
    ["Linha digitável", "59390.00009"],
    ["Juros", "Percentual ao mês · 1,5%"],
    ["Multa", "Valor fixo · R$ 3,00"],
    ["Motivo do bloqueio", "Suspeita de fraude"],
    ["Bloqueado em", "05/11/2026 10:00"],
    ["Bloqueio mantido em", "08/11/2026 10:00"],
    ["Desbloqueado em", "09/11/2026 10:00"],
    ["Identificador (txid)", "PEDIDO991"],
    ["ID Pix", payin.end_to_end_id],
    ["ID do recebimento", payin.id],
  ]);
});

it("PAY-020 names until when a charge can be paid only while it is pending, and calls no payment a transfer of receivables", () => {
  const expires_at = "2026-11-11T13:00:00.000Z";
  const labels = (changes: Partial<Payin>) =>
    linesOf(buildPayin({ expires_at, ...changes })).map(([label]) => label);
  expect(linesOf(buildPayin({ expires_at, status: "pending" }))).toContainEqual([
    "Pode ser pago até",
    "11/11/2026 10:00",
  ]);
  expect(labels({ status: "received" })).not.toContain("Pode ser pago até");
  expect(labels({ category: "payment" })).not.toContain("Origem");
});

it.each([
  ["+5511987654321", "(11) 98765-4321"],
  ["27418639000148", "27.418.639/0001-48"],
  ["pix@aurora.example", "pix@aurora.example"],
])("PIX-003 PIX-009 shows the key %s as %s, and copies it as it is stored", (pix_key, shown) => {
  const { details } = buildPayin();
  const lines = payinLines(buildPayin({ details: { ...details, pix_key } }));
  expect(lines.filter(({ label }) => label === "Chave Pix")).toEqual([
    { label: "Chave Pix", text: pix_key, shown, copy: "Copiar chave Pix" },
  ]);
});

it("PAY-022 names interest in money and a fine in percent, and each type alone without a rate", () => {
  const { details } = buildPayin();
  const late = (changes: Partial<Payin["details"]>) =>
    linesOf(buildPayin({ details: { ...details, ...changes } })).filter(([label = ""]) =>
      ["Juros", "Multa"].includes(label),
    );
  const types = { interest_type: "fixed_per_day", fine_type: "percentage" };
  expect(late({ ...types, interest_amount: 50, fine_percent: 2.5 })).toEqual([
    ["Juros", "Valor fixo por dia · R$ 0,50"],
    ["Multa", "Percentual · 2,5%"],
  ]);
  expect(late(types)).toEqual([
    ["Juros", "Valor fixo por dia"],
    ["Multa", "Percentual"],
  ]);
});
