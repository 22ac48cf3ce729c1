/** How a single payment is kept: as a batch of one whose money is reserved, past everything people decide (decision 0012). */
import { windowOf } from "@malote/domain/payment-limits";
import type { Destination, PaymentMethod } from "@malote/domain/transfer";
import { sql } from "kysely";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { SystemBatchType } from "./store.ts";

export interface SinglePayment {
  type: SystemBatchType;
  batchId: string;
  paymentId: string;
  /** Centavos, which the same transaction has to reserved. */
  value: number;
  method: PaymentMethod;
  to: Destination;
  /** The document the key's owner must have. */
  pixKeyValidation?: string | null;
  /** What the receiver reads. */
  pixDescription?: string;
  executeAt: Date;
  actor: Pick<Actor, "kind" | "id" | "name">;
  now: Date;
}

/** Printed on receipts. */
const names: Readonly<Record<SystemBatchType, string>> = {
  WITHDRAWAL: "Resgate",
  MICRO_DEPOSIT: "Microdepósito",
};

/** Expects its limits taken and its money reserved by the same transaction. */
export async function insertSystemBatch(tx: Tx, payment: SinglePayment): Promise<void> {
  const { type, batchId, paymentId, value, to, executeAt, actor, now } = payment;
  const window = windowOf(payment.method, executeAt, now);
  const status = executeAt > now ? "SCHEDULED" : "RECEIVED";
  await Promise.all([
    sql`
      INSERT INTO batches (company_id, id, name, type, status, value, payments_count, reserved_value, created_at,
        created_by, created_by_name, closed_at, received_date)
      VALUES (${tx.companyId}, ${batchId}, ${names[type]}, ${type}, 'RECEIVED', ${value}, 1, ${value}, ${now},
        ${actor.kind === "user" ? actor.id : null}, ${actor.name}, ${now}, ${now})
    `.execute(tx),
    sql`
      INSERT INTO transfers (company_id, batch_id, id, position, status, value, payment_method, name, tax_id, bank_ispb,
        agency, agency_digit, account, account_digit, account_type, pix_key_type, pix_key, pix_key_validation,
        pix_description, execute_at, limit_day, limit_period, created_at)
      VALUES (${tx.companyId}, ${batchId}, ${paymentId}, 1, ${status}, ${value}, ${payment.method}, ${to.name},
        ${to.taxId}, ${to.bankIspb}, ${to.agency}, ${to.agencyDigit}, ${to.account}, ${to.accountDigit},
        ${to.accountType}, ${to.pixKeyType}, ${to.pixKey}, ${payment.pixKeyValidation ?? null},
        ${payment.pixDescription ?? null}, ${executeAt}, ${window.day}, ${window.period}, ${now})
    `.execute(tx),
  ]);
}
