/** What a kind of payment brings to its corrections; all else is the same for every kind. */
import type { BoletoInput } from "@malote/contracts/boletos";
import type { TransferInput } from "@malote/contracts/transfers";
import type { AuditAction } from "@malote/domain/audit-trail";
import type { PaymentType } from "@malote/domain/limits";
import type { CorrectedPayment } from "../../controls/index.ts";
import type { MovedCount } from "../../indicators/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Sending } from "../draft-payments.ts";
import type { ReadCharges } from "../lookups/ask-codes.ts";
import type { PaymentKind, SentAgain } from "../payment-columns.ts";
import type { FailedRow } from "./store.ts";

export type CorrectionInput = TransferInput | BoletoInput;

/** A failed payment as the caller wants it sent. */
export interface AskedCorrection {
  input: CorrectionInput;
  /** What the Pix codes in it asked for when they were read: no network is called inside a transaction. */
  charges?: ReadCharges | undefined;
}

/** A failed payment that may be sent, as it would be. */
export interface Prepared {
  batchId: string;
  input: CorrectionInput;
  payment: CorrectedPayment;
  again: SentAgain;
  /** What an approver reads of it: before and after. */
  facts: readonly { label: string; value: string }[];
  /** Where its money goes, in words. */
  goesTo: string;
  /** What its correction changed, before and after; null where it is sent as it was. */
  change: string | null;
  type: PaymentType;
  executeAt: Date;
  /** Refuses it where another payment, sent a moment ago, has its code. */
  expectCodeFree(tx: Tx): Promise<void>;
  /** Undefined where it is no longer failed. */
  write(tx: Tx, acting: Sending): Promise<MovedCount | undefined>;
}

export interface CorrectionKind {
  audited: AuditAction;
  /**
   * A failed payment as it is, or as it is asked for. Refuses what may not be sent now, and writes nothing before `write`.
   */
  prepare(tx: Tx, id: string, now: Date, asked?: AskedCorrection): Promise<Prepared>;
  /** By id, why payments cannot be sent again as they are, in words; and each as it would be sent. */
  problems(
    tx: Tx,
    rows: readonly FailedRow[],
    now: Date,
  ): Promise<{ problems: ReadonlyMap<string, string>; again: readonly SentAgain[] }>;
}

export type CorrectionKinds = Readonly<Record<PaymentKind, CorrectionKind>>;
