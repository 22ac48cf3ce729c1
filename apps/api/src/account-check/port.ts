/** What Malote asks of whoever knows Pix keys before money is sent to one. One interface, an adapter per network. */
import type { PixKey } from "@malote/domain/pix-key";
import type { KeyFacts } from "@malote/domain/validation";

export interface AccountCheck {
  /**
   * What the Pix directory knows of a key, and whether its owner has the document that is asked about. Undefined when it
   * does not answer. Never called inside a transaction.
   */
  findKey(key: PixKey, taxId: string | null): Promise<KeyFacts | undefined>;
}
