/** The sandbox's Pix directory: every key exists and belongs to whom it is asked about, but for the documented magic values. */
import type { AccountCheck } from "../../account-check/port.ts";
import { keyCase } from "./magic-values.ts";

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
};
