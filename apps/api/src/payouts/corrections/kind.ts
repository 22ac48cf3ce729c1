/** Parts of a correction that differ between the kinds of payment. */
import type { BoletoInput } from "@malote/contracts/boletos";
import type { TransferInput } from "@malote/contracts/transfers";
import type { AuditAction } from "@malote/domain/audit-trail";
import type { PaymentMethod } from "@malote/domain/limits";
import type { CorrectedPayment } from "../../controls/index.ts";
import type { MovedCount } from "../../indicators/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { ResendContext } from "../draft-payment-store.ts";
import type { ReadCharges } from "../lookups/ask-codes.ts";
import type { PaymentKind, ResendRecord } from "../payment-columns.ts";
import type { FailedRow } from "./store.ts";

export type CorrectionInput = TransferInput | BoletoInput;

/** Failed payment as the caller wants it resent. */
export interface RequestedCorrection {
  input: CorrectionInput;
  /** Charges of the Pix codes, read before: no network call runs inside a transaction. */
  charges?: ReadCharges | undefined;
}

/** Failed payment that may be resent, in the form in which it would be sent. */
export interface Prepared {
  batchId: string;
  input: CorrectionInput;
  payment: CorrectedPayment;
  resend: ResendRecord;
  /** Facts for the approver: before and after. */
  facts: readonly { label: string; value: string }[];
  /** Destination of the money, as a text. */
  shownReceiver: string;
  /** Changes of the correction, before and after; null when the payment is resent unchanged. */
  change: string | null;
  method: PaymentMethod;
  executeAt: Date;
  /** Throws when another payment, sent a moment ago, has the same code. */
  requireCodeFree(tx: Tx): Promise<void>;
  /** Writes and resends the payment. Returns undefined when it is no longer failed. */
  write(tx: Tx, acting: ResendContext): Promise<MovedCount | undefined>;
}

export interface CorrectionKind {
  audited: AuditAction;
  /** Prepares a failed payment as it is, or as requested. Throws when it may not be sent now; only `write` writes. */
  prepare(tx: Tx, id: string, now: Date, requested?: RequestedCorrection): Promise<Prepared>;
  /** Returns, by id, why payments cannot be resent as they are, and each payment as it would be sent. */
  problems(
    tx: Tx,
    rows: readonly FailedRow[],
    now: Date,
  ): Promise<{ problems: ReadonlyMap<string, string>; resends: readonly ResendRecord[] }>;
}

export type CorrectionKinds = Readonly<Record<PaymentKind, CorrectionKind>>;
