/** Execution of a correction of one payment or several, after its last approval. */
import type { ExecuteRequest, RequestPayload } from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Services } from "../../platform/services.ts";
import { requireResendConfirmed } from "../batches/checks.ts";
import { getLockedBatch } from "../batches/locked-batch.ts";
import type { Prepared } from "./kind.ts";
import { correctionKinds } from "./kinds.ts";
import { resendPayments } from "./send.ts";
import { findChosen } from "./store.ts";

type CorrectionRequest = RequestPayload<"CORRECTION">;
/** Payload of an approval request that resends several payments. */
export type BulkCorrectionRequest = Extract<CorrectionRequest, { type: "RETRY" }>;

const paymentsOf = (correction: CorrectionRequest, objectId: string): BulkCorrectionRequest["payments"] =>
  correction.type === "RETRY"
    ? correction.payments
    : [{ id: objectId, input: correction.input, charges: correction.charges ?? [] }];

/**
 * Resends the payments of an approved request, all of them or none. Leaves out payments that were resolved in the
 * meantime: less is sent than was approved, never more.
 */
export const executeCorrection =
  (services: Pick<Services, "jobs">): ExecuteRequest<"CORRECTION"> =>
  async (tx, { objectId, payload: correction, approvers, last }, acting) => {
    const payments = paymentsOf(correction, objectId);
    const batch = await getLockedBatch(tx, correction.batchId);
    const ids = payments.map(({ id }) => id);
    const rows = await findChosen(tx, batch.id, ids);
    const failed = new Set(rows.filter(({ status }) => status === "FAILED").map(({ id }) => id));
    if (failed.size === 0) throw new AppError("transfer_not_failed");
    const ready: Prepared[] = [];
    for (const { id, input, charges = [] } of payments.filter((one) => failed.has(one.id))) {
      const given = { input, charges: new Map(charges) };
      ready.push(await correctionKinds[batch.type].prepare(tx, id, acting.now, given));
    }
    const resends = correction.again ?? ready.map((one) => one.resend);
    await requireResendConfirmed(tx, last.call, batch, resends, last.confirmations);
    const approvedBy = approvers.map(({ name }) => name);
    for (const one of ready) await resendPayments(tx, services, one, { ...acting, approvedBy });
  };
