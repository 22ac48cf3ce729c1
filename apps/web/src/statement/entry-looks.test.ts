import type { StatementEntry } from "@malote/contracts/statement";
import { expect, it } from "vitest";
import { buildEntry } from "../testing/statement.ts";
import { accountOf, openingOf } from "./entry-looks.ts";

const payer = {
  name: "Nova Era Ltda",
  bank: "Banco Aurora",
  agency: "0001",
  account: "4820173",
  account_digit: "6",
  account_type: "CONTA_CORRENTE",
  document: "27418639000148",
};
const withoutAccount = { ...payer, account: null };
const whole = { bank: "Banco Aurora", agency: "0001", account: "4820173-6" };

it.each<[string, Partial<StatementEntry["complement"]>, ReturnType<typeof accountOf>]>([
  ["a batch", {}, undefined],
  ["a Pix without account data", { isPix: true, payer: withoutAccount }, undefined],
  ["an entry with bank data", { bank: "Itaú" }, { bank: "Itaú", agency: null, account: null }],
  ["an entry that is neither a Pix nor a TED", { payer }, undefined],
  ["a Pix", { isPix: true, payer }, whole],
  ["a TED", { isTed: true, receiver: payer }, whole],
  ["a TED without account data", { isTed: true, payer: withoutAccount }, { ...whole, account: null }],
])("STM-011 shows the account of %s", (_, complement, expected) => {
  const none = { timestamp: null, bank: null, isTed: false, isPix: false };
  expect(accountOf({ complement: { ...none, ...complement } })).toEqual(expected);
});

it("STM-013 opens the batch of an entry that has one, also when it is an incoming Pix", () => {
  const batchId = "0198f000-0000-7000-8000-0000000000b1";
  const entry = buildEntry({ type: "DEPOSIT", complement: { isPix: true, batch_id: batchId } });
  expect(openingOf(entry)).toEqual({ kind: "batch", batchId });
});
