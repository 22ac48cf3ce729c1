/**
 * The sandbox's Pix directory: every key exists and belongs to the person it is looked up for, except the documented
 * magic values.
 */
import { banks } from "@malote/domain/banks";
import { isTaxId } from "@malote/domain/tax-id";
import type { AccountCheck } from "../../../ports/account-check.ts";
import { shareOf } from "./chance.ts";
import { inventedParty } from "./invented.ts";
import { keyCase } from "./magic-values.ts";

/** Returns the banks that have a bank code. */
const holdingBanks = () =>
  banks()
    .filter(({ code }) => code !== null)
    .slice(0, 40);

export const sandboxAccountCheck: AccountCheck = {
  async findKey({ type, key }, taxId) {
    const found = { found: true, isSalaryAccount: false } as const;
    switch (keyCase(type, key)) {
      case "15":
        return { found: false };
      case "16":
        return { ...found, isSalaryAccount: true, isOfTaxId: null };
      case "25":
        return undefined;
      case "35":
        return { ...found, isOfTaxId: taxId === null ? null : false };
      default:
        return { ...found, isOfTaxId: taxId === null ? null : true };
    }
  },

  async findHolder({ type, key }, payee) {
    const held = keyCase(type, key);
    if (held === "25") return undefined;
    if (held === "15") return { found: false };
    const inventedHolder = inventedParty(`holder ${key}`);
    const isDocument = type === "CPF" || type === "CNPJ";
    // An e-mail, phone or random key of the sandbox belongs to the intended payee.
    const intended = payee.taxId !== null && isTaxId(payee.taxId) && held !== "35" ? payee.taxId : undefined;
    const taxId = isDocument ? key : (intended ?? inventedHolder.taxId);
    const isIntended = taxId === payee.taxId || (payee.taxId === null && held !== "35");
    const holders = holdingBanks();
    return {
      found: true,
      name: (isIntended ? payee.name : null) ?? inventedHolder.name,
      taxId,
      bankIspb: holders[Math.floor(shareOf(`bank ${key}`) * holders.length)]?.ispb ?? null,
      isSalaryAccount: held === "16",
    };
  },
};
