/** Correction of one failed payment of a funded batch; its money is still reserved (TRF-045, ruling D19). */
import type { Confirmation } from "@malote/domain/checks";
import { cents, formatBrl } from "@malote/domain/money";
import type { PaymentStatus } from "@malote/domain/payment-status";
import {
  listRequestedPayments,
  recordUnapprovedCorrections,
  requireNotRequested,
} from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Services } from "../../platform/services.ts";
import type { BatchRow } from "../batches/store.ts";
import { requireCorrector } from "../batches/who-resolves.ts";
import type { RequestedCorrection } from "./kind.ts";
import { correctionKinds } from "./kinds.ts";
import { type CorrectingCall, passCorrection, resendPayments } from "./send.ts";

/**
 * Corrects a failed payment and returns whether it was resent or waits for an approval. The caller holds the batch's
 * lock.
 */
export async function correctPayment(
  tx: Tx,
  call: CorrectingCall,
  services: Pick<Services, "jobs">,
  {
    batch,
    payment,
    requested,
    confirmations,
  }: {
    batch: BatchRow;
    payment: { id: string; status: PaymentStatus; value: number | null; status_description: string | null };
    requested: RequestedCorrection;
    confirmations: readonly Confirmation[] | undefined;
  },
): Promise<"sent" | "waits"> {
  const { now } = call;
  if (payment.status !== "FAILED") throw new AppError("transfer_not_editable");
  const approversMin = await requireCorrector(tx, call, batch);
  requireNotRequested(await listRequestedPayments(tx, [payment.id], now), payment.id);
  const kind = correctionKinds[batch.type];
  const one = await kind.prepare(tx, payment.id, now, requested);
  const passed = await passCorrection(tx, call, batch, [one], {
    approversMin,
    confirmations,
    payload: {
      type: batch.type,
      batchId: batch.id,
      input: requested.input,
      ...(requested.charges && { charges: [...requested.charges] }),
    },
    facts: [
      { label: "Lote", value: batch.name },
      { label: "Valor", value: formatBrl(cents(payment.value ?? 0)) },
      ...one.facts,
    ],
  });
  if (passed.kind === "waits") return "waits";
  await resendPayments(tx, services, one, call);
  const correction = { batchId: batch.id, payments: [one.payment] };
  await recordUnapprovedCorrections(tx, { correction, people: passed.people, now });
  await audit(tx, call, kind.audited, payment.id, { from: payment.status_description });
  return "sent";
}
