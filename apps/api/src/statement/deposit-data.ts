/** Bank data and the Pix code for adding balance. */

import type { Cents } from "@malote/domain/money";
import { ownInstitution } from "@malote/domain/own-institution";
import { readCompany } from "../company/index.ts";
import { codeToPay, listPixKeys } from "../pix-keys/index.ts";
import type { Tx } from "../platform/db/database.ts";

/**
 * STM-020: returns where to send this value (centavos), with the Pix code for it. Creates no pending deposit: money is
 * posted when it arrives.
 */
export async function readDepositData(tx: Tx, value: Cents) {
  const company = await readCompany(tx);
  const key = (await listPixKeys(tx)).find((one) => codeToPay(one, company));
  return {
    value,
    bank: ownInstitution().code,
    agency: company.agency,
    account: company.account,
    account_digit: company.accountDigit,
    name: company.name,
    cpf_cnpj: company.taxId,
    pix_key: key?.key ?? null,
    pix_qrcode_emv_payload: key ? codeToPay(key, company, value) : null,
  };
}
