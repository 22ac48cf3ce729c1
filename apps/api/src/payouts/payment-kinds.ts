/**
 * What batches of one kind of payment do otherwise than those of another. A third kind does not compile until it says all of it;
 * what corrections do is in corrections/kind.ts.
 */
import type { Boleto, BoletoInput } from "@malote/contracts/boletos";
import type { Transfer, TransferInput } from "@malote/contracts/transfers";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { hasLateBoletos } from "./boletos/late.ts";
import { boletoKind } from "./boletos/listed.ts";
import { countWronglyPriced } from "./boletos/prices.ts";
import { writeBoletosToDraft } from "./boletos/write.ts";
import type { DraftDelta } from "./draft-payments.ts";
import { firstOfBatch } from "./lists/lists.ts";
import type { ReadCharges } from "./lookups/ask-codes.ts";
import type { PaymentKind } from "./payment-columns.ts";
import type { DayFacts } from "./rules/day-facts.ts";
import { transferKind } from "./transfers/listed.ts";
import { hasCharges, hasLateTransfers } from "./transfers/store.ts";
import { writeToDraft } from "./transfers/write.ts";

/** The payments in the body of a call, of any kind. */
export interface GivenPayments {
  transfers: readonly TransferInput[];
  boletos: readonly BoletoInput[];
}

export interface Writing {
  by: Pick<Actor, "id" | "name">;
  now: Date;
  charges: ReadCharges;
}

interface OfKind {
  /** Refuses payments of another kind (BAT-003). */
  write(
    tx: Tx,
    batchId: string,
    given: GivenPayments,
    how: Writing,
  ): Promise<DraftDelta & { written: number }>;
  /** The first page of its payments, in the two fields that the wire has. */
  first(tx: Tx, batchId: string, now: Date): Promise<{ transfers: Transfer[]; billets: Boleto[] }>;
  /** What they cost is said by a register, and may be another amount tomorrow. */
  isPricedByRegister: boolean;
  /** Payments that would be paid at another amount than their register asks for, those that are too late left out or not. */
  countRepriced(tx: Tx, batchId: string, facts: DayFacts, which: { exceptExpired: boolean }): Promise<number>;
  /** Whether a draft payment runs on a later day than its own, or than this one where it has none (BAT-050). */
  hasLate(tx: Tx, batchId: string, facts: DayFacts): Promise<boolean>;
  /** Whether a payment of the batch has a code that is paid once, in whichever batch. */
  hasCodes(tx: Tx, batchId: string): Promise<boolean>;
  /**
   * Whether a draft's card counts the mistakes that no row has stored: a duplicate is known only by the other payment, and days
   * pass. A draft of transfers may have a hundred thousand rows: its card shows the count of the last change.
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
      transfers: await firstOfBatch(tx, transferKind, batchId, now),
      billets: [],
    }),
    isPricedByRegister: false,
    countRepriced: async () => 0,
    hasLate: hasLateTransfers,
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
      billets: await firstOfBatch(tx, boletoKind, batchId, now),
    }),
    isPricedByRegister: true,
    countRepriced: countWronglyPriced,
    hasLate: hasLateBoletos,
    hasCodes: async () => true,
    countsMistakesAnew: true,
  },
};
