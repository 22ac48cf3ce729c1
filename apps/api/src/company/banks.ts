import { type listBanks, readBankImage } from "@malote/contracts/company";
import { bases, type QueryOf, type ResponseOf } from "@malote/contracts/contract";
import { type Bank, banks } from "@malote/domain/banks";

type BankOnWire = ResponseOf<typeof listBanks>["data"][number];

/** SET-024. The ISPB is the id: every institution has one, a code only most. */
export const bankOnWire = ({ code, ispb, name }: Bank): BankOnWire => ({
  id: ispb,
  code,
  ispb,
  name,
  image: bases.payments + readBankImage.path.replace(":id", ispb),
});

/** Accounts are typed by bank code, so an institution without one is only reachable by Pix. */
export const banksOnWire = (
  { pix, all }: QueryOf<typeof listBanks>,
  table: readonly BankOnWire[] = banks().map(bankOnWire),
): BankOnWire[] => table.filter(({ code }) => code !== null || pix === "true" || all === "true");
