/** Tests the receipt of incoming money: its method and its key are two lines. */
import { expect, it } from "vitest";
import { payinReceiptOf, type ReceivedPayin } from "./payin-receipt.ts";

const company = {
  name: "Aurora Papelaria",
  taxId: "11222333000181",
  agency: "0001",
  account: "12345",
  accountDigit: "6",
};
const payin: ReceivedPayin = {
  id: "p",
  type: "pix_key",
  amount: 150_00,
  originalAmount: null,
  at: new Date("2026-11-22T13:00:00Z"),
  payerName: "Bruno Sales",
  payerTaxId: "52998224725",
  endToEndId: null,
  txid: null,
  pixKey: "52998224725",
  message: null,
  digitableLine: null,
  dueDate: null,
  installments: null,
  authorizationCode: null,
  linkName: null,
};
const linesOf = (given: Partial<ReceivedPayin>) =>
  new Map(
    payinReceiptOf(company, { ...payin, ...given })
      .sections.flatMap(({ lines }) => lines)
      .map(({ label, text }) => [label, text]),
  );

it("names Pix for a payin by key, masks the key on its own line, and shows no key for a TED", () => {
  const byKey = linesOf({});
  expect([byKey.get("Forma"), byKey.get("Chave Pix")]).toEqual(["Pix", "***.982.247-**"]);
  const ted = linesOf({ type: "ted", pixKey: null });
  expect([ted.get("Forma"), ted.get("Chave Pix")]).toEqual(["TED", undefined]);
});

it.each([
  ["+5511987654321", "(11) 98765-4321"],
  ["27418639000148", "27.418.639/0001-48"],
  ["pix@aurora.example", "pix@aurora.example"],
])("PIX-003 PIX-009 prints the key %s as %s", (pixKey, text) => {
  expect(linesOf({ pixKey }).get("Chave Pix")).toBe(text);
});
