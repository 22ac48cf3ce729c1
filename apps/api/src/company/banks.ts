import type { listBanks } from "@malote/contracts/company";
import type { QueryOf, ResponseOf } from "@malote/contracts/contract";
import { type Bank, banks } from "@malote/domain/banks";

type BankOnWire = ResponseOf<typeof listBanks>["data"][number];

/** SET-024. The ISPB is the id: every institution has one, a code only most. */
export const bankOnWire = ({ code, ispb, name }: Bank): BankOnWire => ({
  id: ispb,
  code,
  ispb,
  name,
  image: null,
});

const everyBank = banks.map(bankOnWire);
/** Accounts are typed by bank code, so an institution without one is only reachable by Pix. */
const withCode = everyBank.filter((bank) => bank.code !== null);

export const banksOnWire = ({ pix, all }: QueryOf<typeof listBanks>): BankOnWire[] =>
  pix === "true" || all === "true" ? everyBank : withCode;
