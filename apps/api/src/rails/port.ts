/**
 * What Malote asks of whoever carries its payments, and what it hears back. One interface, an adapter per network.
 */

export interface PaymentOrder {
  /** Made by us and stored before sending; the network answers a repeated id with the first result. */
  endToEndId: string;
  companyId: string;
  method: "PIX" | "TED" | "TEV";
  /** Centavos. */
  value: number;
  payer: { name: string; taxId: string; agency: string; account: string; accountDigit: string };
  receiver: {
    name: string | null;
    taxId: string | null;
    bankIspb: string | null;
    agency: string | null;
    account: string | null;
    accountDigit: string | null;
    accountType: string | null;
    pixKeyType: string | null;
    pixKey: string | null;
    /** Whose key it must be, when the company wants that checked. */
    pixKeyTaxId: string | null;
  };
  /** Plain text, at most 140 characters. */
  description: string | null;
}

export interface Rails {
  /**
   * Hands orders over. Resolving means every one was taken; rejecting means that nobody knows: ask with `find`
   * before sending again. Never called inside a transaction.
   */
  send(orders: readonly PaymentOrder[]): Promise<void>;
  /** Which of these ids the network has. */
  find(endToEndIds: readonly string[]): Promise<ReadonlySet<string>>;
}

interface EventBase {
  /** The network's own id of the event: the same id again is the same event. */
  id: string;
  endToEndId: string;
  /** When it happened there, as an ISO instant. */
  at: string;
}

export type RailEvent =
  /** The money arrived; `final` when it can no longer come back by itself (Pix, internal). */
  | (EventBase & { kind: "settled"; companyId: string; final: boolean })
  /** The time in which the other bank may send it back is over. */
  | (EventBase & { kind: "finished"; companyId: string })
  | (EventBase & { kind: "failed"; companyId: string; reason: string })
  /** It had arrived and the other bank sent it back. */
  | (EventBase & { kind: "returned"; companyId: string; reason: string })
  /** Somebody paid into the account of one of our companies. */
  | (EventBase & {
      kind: "pix_received";
      pixKey: string;
      value: number;
      payer: {
        name: string;
        document: string | null;
        bank: string | null;
        agency: string | null;
        account: string | null;
        accountDigit: string | null;
        accountType: string | null;
      };
      message: string | null;
    });

/**
 * The product's ear. Resolves once every event is stored and applied; rejecting makes the network deliver them again.
 * Events may come twice, late and in any order.
 */
export type HearEvents = (events: readonly RailEvent[]) => Promise<void>;
