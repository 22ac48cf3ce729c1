/** Single payment as it is stored: a batch of one with reserved money, which no person decides on (decision 0012). */
import { windowOf } from "@malote/domain/payment-limits";
import type { Destination, TransferMethod } from "@malote/domain/transfer";
import { sql } from "kysely";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { insertSentPayment } from "../draft-payment-store.ts";
import { recordOf } from "../transfers/store.ts";
import type { SystemBatchType } from "./store.ts";

export interface SinglePayment {
  type: SystemBatchType;
  batchId: string;
  paymentId: string;
  /** Centavos, which the same transaction reserves. */
  value: number;
  method: TransferMethod;
  to: Destination;
  /** Document that the owner of the key must have. */
  pixKeyValidation?: string | null;
  /** Text that the receiver reads. */
  pixDescription?: string;
  executeAt: Date;
  actor: Pick<Actor, "kind" | "id" | "name">;
  now: Date;
}

/** Batch names, printed on receipts. */
const names: Readonly<Record<SystemBatchType, string>> = {
  WITHDRAWAL: "Resgate",
  MICRO_DEPOSIT: "Microdepósito",
};

/** Inserts a system batch with its payment. The same transaction consumes the limits and reserves the money. */
export async function insertSystemBatch(tx: Tx, payment: SinglePayment): Promise<void> {
  const { type, batchId, paymentId, value, method, to, executeAt, actor, now } = payment;
  const { pixKeyValidation = null, pixDescription = null } = payment;
  const draft = { ...to, pixKeyValidation, value, paymentDate: null, pixDescription, integrationId: null };
  await Promise.all([
    sql`
      INSERT INTO batches (company_id, id, name, type, status, value, payments_count, reserved_value, created_at,
        created_by, created_by_name, closed_at, received_date)
      VALUES (${tx.companyId}, ${batchId}, ${names[type]}, ${type}, 'RECEIVED', ${value}, 1, ${value}, ${now},
        ${actor.kind === "user" ? actor.id : null}, ${actor.name}, ${now}, ${now})
    `.execute(tx),
    insertSentPayment(
      tx,
      { batchId, kind: "TRANSFER", executeAt, limit: windowOf(method, executeAt, now), now },
      // A withdrawal may exceed the maximum of a draft payment.
      { ...recordOf({ id: paymentId, draft, method, errors: [], warnings: [] }), value },
    ),
  ]);
}
