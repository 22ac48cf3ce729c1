/** What each kind of payment brings to sending failed ones again; `ways-out.ts` composes them. */
import type { BoletoInput } from "@malote/contracts/boletos";
import type { TransferInput } from "@malote/contracts/transfers";
import type { CorrectedPayment } from "../../controls/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Sending } from "../draft-payments.ts";
import type { SentAgain } from "../payment-columns.ts";
import type { FailedRow } from "./store.ts";

export type RetryInput = TransferInput | BoletoInput;

export interface RetryKind {
  /**
   * A failed payment as it is, or as it was when that was asked for. Refuses what may not be sent now, and writes nothing
   * before `send`, which refuses before it writes.
   */
  prepare(
    tx: Tx,
    id: string,
    now: Date,
    asked?: RetryInput,
  ): Promise<{
    input: RetryInput;
    payment: CorrectedPayment;
    again: SentAgain;
    send: (acting: Sending) => Promise<void>;
  }>;
  /** By id, why payments cannot be sent again as they are, in words; and each as it would be sent. */
  problems(
    tx: Tx,
    rows: readonly FailedRow[],
    now: Date,
  ): Promise<{ problems: ReadonlyMap<string, string>; again: readonly SentAgain[] }>;
}
export type RetryEach = Readonly<Record<"TRANSFER" | "BILLET", RetryKind>>;
