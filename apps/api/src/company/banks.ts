import { type listBanks, readBankImage } from "@malote/contracts/company";
import { bases, type QueryOf, type ResponseOf } from "@malote/contracts/contract";
import { type Bank, banks } from "@malote/domain/banks";

type BankOnWire = ResponseOf<typeof listBanks>["data"][number];

/**
 * SET-024: converts a bank for the wire. The ISPB is the id, because every institution has one, and only most have a
 * code.
 */
export const bankOnWire = ({ code, ispb, name }: Bank): BankOnWire => ({
  id: ispb,
  code,
  ispb,
  name,
  image: bases.payments + readBankImage.path.replace(":id", ispb),
});

/**
 * Returns the banks with a code, which account forms need; with `pix` or `all`, also institutions without one, which
 * can be paid by Pix only.
 */
export const banksOnWire = (
  { pix, all }: QueryOf<typeof listBanks>,
  table: readonly BankOnWire[] = banks().map(bankOnWire),
): BankOnWire[] => table.filter(({ code }) => code !== null || pix === "true" || all === "true");
