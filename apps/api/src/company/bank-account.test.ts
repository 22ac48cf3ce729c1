import { expect, it } from "vitest";
import { ownAccount } from "../testing/payments-kit.ts";
import { type CompanyBankAccount, isSameBankAccount } from "./index.ts";

const account: CompanyBankAccount = ownAccount;
const changes: { readonly [Field in keyof CompanyBankAccount]: CompanyBankAccount[Field] } = {
  bank_id: "00000000",
  agency: "4321",
  agency_digit: "9",
  account_type: "CONTA_POUPANCA",
  account: "98765",
  account_digit: "1",
  name: "Aurora Papelaria",
  cpfCnpj: "11222333000181",
};

it("treats an account as the same in any order of its fields, and without an empty field", () => {
  const { agency_digit: _, ...others } = Object.fromEntries(Object.entries(account).reverse());
  expect(isSameBankAccount(others as unknown as CompanyBankAccount, account)).toBe(true);
});

it.each(Object.keys(changes) as (keyof CompanyBankAccount)[])(
  "treats an account with another %s as another account",
  (field) => {
    expect(isSameBankAccount({ ...account, [field]: changes[field] }, account)).toBe(false);
  },
);
