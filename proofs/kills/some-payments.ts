/** Payments of the clients: most are paid, some fail, some are returned. */
import { randomUUID } from "node:crypto";
import type { TransferInput } from "@malote/contracts/transfers";
import { headingOf } from "../../apps/api/src/payouts/import/sheet/heading-words.ts";
import type { Chance } from "../chance.ts";

/** Magic values of the sandbox network: a key without a holder, and a person whose bank returns a TED. */
const failingKey = "chave.pix15@exemplo.com.br";
const returningTaxId = "61420738526";
const ordinaryTaxId = "52998224725";

export type MadePayment = TransferInput & { id: string; value: number };

export function somePayment(chance: Chance, id: string = randomUUID()): MadePayment {
  const value = chance.between(1_00, 400_00);
  const kind = chance.between(1, 100);
  if (kind <= 80) {
    const key = kind <= 14 ? failingKey : goodKey(chance);
    return {
      id,
      value,
      integration_id: id,
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: key },
    };
  }
  return {
    id,
    value,
    integration_id: id,
    destination_bank_account: {
      name: "Joana Prado",
      cpf_cnpj: kind > 94 ? returningTaxId : ordinaryTaxId,
      bank_id: "60701190",
      agency: "1234",
      account: "56789",
      account_digit: "7",
      account_type: "CONTA_CORRENTE",
    },
  };
}

export const goodKey = (chance: Chance) => `pessoa${chance.between(1, 9_999)}@exemplo.com.br`;

/** Returns a sheet of Pix by key, as a person would upload it, with its expected result. */
export function someSheet(chance: Chance): { text: string; rows: number; value: number } {
  const headings = [headingOf.pixKeyType, headingOf.pixKey, headingOf.value];
  const values = Array.from({ length: chance.between(5, 60) }, () => chance.between(1_00, 90_00));
  const lines = values.map(
    (value) => `EMAIL;${goodKey(chance)};${(value / 100).toFixed(2).replace(".", ",")}`,
  );
  return {
    text: [headings.join(";"), ...lines].join("\r\n"),
    rows: values.length,
    value: values.reduce((sum, value) => sum + value, 0),
  };
}
