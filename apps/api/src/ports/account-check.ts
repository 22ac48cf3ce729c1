/**
 * What Malote asks of the holder of Pix keys' data before money is sent to one. One interface, an adapter per
 * network.
 */
import type { PixKey } from "@malote/domain/pix-key";
import type { KeyFacts } from "@malote/domain/validation";

/** Who holds a key, as the directory answers a payer's institution. */
export type KeyHolder =
  | { found: false }
  | { found: true; name: string; taxId: string; bankIspb: string | null; isSalaryAccount: boolean };

export interface AccountCheck {
  /**
   * What the Pix directory knows of a key, and whether its owner has the document that is asked about. Undefined when it
   * does not answer. Never called inside a transaction.
   */
  findKey(key: PixKey, taxId: string | null): Promise<KeyFacts | undefined>;
  /**
   * Who holds a key. `payee` is the person the payer intends. Undefined when the directory does not answer. Never
   * called inside a transaction.
   */
  findHolder(
    key: PixKey,
    payee: { name: string | null; taxId: string | null },
  ): Promise<KeyHolder | undefined>;
}
