/**
 * Port to the directory of Pix keys: data of a key's holder, read before money is sent. One interface, an adapter per
 * network.
 */
import type { PixKey } from "@malote/domain/pix-key";
import type { KeyFacts } from "@malote/domain/validation";

/** Holder of a key, as the directory reports it to a payer's institution. */
export type KeyHolder =
  | { found: false }
  | { found: true; name: string; taxId: string; bankIspb: string | null; isSalaryAccount: boolean };

export interface AccountCheck {
  /**
   * Returns the directory's data of a key, and whether its owner has the given document. Undefined when the directory
   * does not answer. Never call it inside a transaction.
   */
  findKey(key: PixKey, taxId: string | null): Promise<KeyFacts | undefined>;
  /**
   * Returns the holder of a key. `payee` is the person that the payer intends. Undefined when the directory does not
   * answer. Never call it inside a transaction.
   */
  findHolder(
    key: PixKey,
    payee: { name: string | null; taxId: string | null },
  ): Promise<KeyHolder | undefined>;
}
