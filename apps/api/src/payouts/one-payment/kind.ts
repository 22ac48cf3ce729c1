/** Differences between the actions on one transfer and on one boleto. */
import type { ErrorCode } from "@malote/contracts/errors";
import type { AuditAction } from "@malote/domain/audit-trail";
import type { PaymentStatus } from "@malote/domain/payment-status";
import type { MovedCount } from "../../indicators/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { CorrectionInput } from "../corrections/kind.ts";
import type { CorrectingCall } from "../corrections/send.ts";
import type { DraftDelta } from "../draft-payment-store.ts";
import type { ReadCharges } from "../lookups/ask-codes.ts";
import type { PaymentKind } from "../payment-columns.ts";

export interface PaymentRow {
  id: string;
  batch_id: string;
  status: PaymentStatus;
  value: number | null;
  status_description: string | null;
}

/** Charges of Pix codes, read before the transaction, and the queue for lookups that follow it. */
export interface LookupNeeds {
  charges?: ReadCharges;
  jobs: Jobs;
}

export interface OnePaymentKind<Input extends CorrectionInput, Shown, Row extends PaymentRow = PaymentRow> {
  kind: PaymentKind;
  find(tx: Tx, id: string): Promise<Row | undefined>;
  read(tx: Tx, id: string, now: Date): Promise<Shown>;
  /** Refusal when the payment is not in the batch. */
  notInBatch: ErrorCode;
  /** Adds the payment to a draft, or changes the payment with its id. */
  write(
    tx: Tx,
    batchId: string,
    payment: Input & { id: string },
    call: CorrectingCall,
    needs: LookupNeeds,
  ): Promise<DraftDelta>;
  added: AuditAction;
  changed: AuditAction;
  /** Records that the money of a failed payment, and of those returned with it, is back in the balance. */
  recordReturn(
    tx: Tx,
    call: CorrectingCall,
    payment: PaymentRow,
    returned: { payments: readonly (MovedCount & { id: string })[]; value: number },
  ): Promise<void>;
}
