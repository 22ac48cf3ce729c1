/**
 * Differences between batches of one kind of payment and another. A third kind does not compile until it defines all of
 * them; corrections have theirs in corrections/kind.ts.
 */
import type { Boleto, BoletoInput } from "@malote/contracts/boletos";
import type { Transfer, TransferInput } from "@malote/contracts/transfers";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { anyBoletoRunsLater } from "./boletos/late.ts";
import { boletoKind } from "./boletos/listed.ts";
import { countWronglyPriced } from "./boletos/prices.ts";
import { writeBoletosToDraft } from "./boletos/write.ts";
import type { DraftDelta } from "./draft-payment-store.ts";
import { readFirstOfBatch } from "./lists/lists.ts";
import type { ReadCharges } from "./lookups/ask-codes.ts";
import type { PaymentKind } from "./payment-columns.ts";
import type { DayFacts } from "./rules/day-facts.ts";
import { transferKind } from "./transfers/listed.ts";
import { anyTransferRunsLater, hasCharges } from "./transfers/store.ts";
import { writeToDraft } from "./transfers/write.ts";

/** Payments of any kind in the body of a call. */
export interface GivenPayments {
  transfers: readonly TransferInput[];
  boletos: readonly BoletoInput[];
}

export interface WriteContext {
  by: Pick<Actor, "id" | "name">;
  now: Date;
  charges: ReadCharges;
}

interface OfKind {
  /** Writes payments to a draft. Throws for payments of another kind (BAT-003). */
  write(
    tx: Tx,
    batchId: string,
    given: GivenPayments,
    how: WriteContext,
  ): Promise<DraftDelta & { written: number }>;
  /** Returns the first page of payments, in the two fields of the wire shape. */
  first(tx: Tx, batchId: string, now: Date): Promise<{ transfers: Transfer[]; billets: Boleto[] }>;
  /** True when a register sets the price, which may change from day to day. */
  isPricedByRegister: boolean;
  /** Counts payments whose value differs from the price of their register. `exceptExpired` leaves out expired ones. */
  countRepriced(tx: Tx, batchId: string, facts: DayFacts, which: { exceptExpired: boolean }): Promise<number>;
  /** Returns whether a draft payment runs later than its date, or later than today when it has none (BAT-050). */
  anyRunsLater(tx: Tx, batchId: string, facts: DayFacts): Promise<boolean>;
  /** Returns whether a payment of the batch has a code that may be paid only once, over all batches. */
  hasCodes(tx: Tx, batchId: string): Promise<boolean>;
  /**
   * True when the card of a draft counts the issues that no row stores: a duplicate depends on the other payment, and
   * days pass. A draft of transfers may have a hundred thousand rows, so its card shows the count of the last change.
   */
  countsMistakesAnew: boolean;
}

export const paymentKinds: Readonly<Record<PaymentKind, OfKind>> = {
  TRANSFER: {
    write(tx, batchId, { transfers, boletos }, { by, now, charges }) {
      if (boletos.length > 0) throw new AppError("batch_wrong_type");
      return writeToDraft(tx, batchId, transfers, by, now, charges);
    },
    first: async (tx, batchId, now) => ({
      transfers: await readFirstOfBatch(tx, transferKind, batchId, now),
      billets: [],
    }),
    isPricedByRegister: false,
    countRepriced: async () => 0,
    anyRunsLater: anyTransferRunsLater,
    hasCodes: hasCharges,
    countsMistakesAnew: false,
  },
  BILLET: {
    write(tx, batchId, { transfers, boletos }, { by, now }) {
      if (transfers.length > 0) throw new AppError("batch_wrong_type");
      return writeBoletosToDraft(tx, batchId, boletos, by, now);
    },
    first: async (tx, batchId, now) => ({
      transfers: [],
      billets: await readFirstOfBatch(tx, boletoKind, batchId, now),
    }),
    isPricedByRegister: true,
    countRepriced: countWronglyPriced,
    anyRunsLater: anyBoletoRunsLater,
    hasCodes: async () => true,
    countsMistakesAnew: true,
  },
};
