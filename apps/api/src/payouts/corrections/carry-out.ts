/** A correction that waited for approvals, of one payment or of many, once the last of them is given. */
import type { PixCharge } from "@malote/domain/pix-charge";
import type { CarryOut } from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Services } from "../../platform/services.ts";
import { requireTicksAgain } from "../batches/checks.ts";
import { getLockedBatch } from "../batches/locked-batch.ts";
import type { PaymentKind, SentAgain } from "../payment-columns.ts";
import type { CorrectionInput, Prepared } from "./kind.ts";
import { correctionKinds } from "./kinds.ts";
import { sendAgain } from "./send.ts";
import { findChosen } from "./store.ts";

interface CorrectionToCarryOut {
  batchId: string;
  /** Their rows as they would be sent, which ticks are of; also of those that are resolved meanwhile. */
  again?: readonly SentAgain[];
}
/** One payment as it was asked for. Requests of before charges were kept have none. */
interface PaymentToCarryOut {
  input: CorrectionInput;
  charges?: readonly (readonly [string, PixCharge])[];
}
/** Of the payment that the request is about. */
type OneToCarryOut = CorrectionToCarryOut & PaymentToCarryOut & { type: PaymentKind };
/** What a request of many waits with: each payment as it was when its repetition was asked for. */
export interface ManyToCarryOut extends CorrectionToCarryOut {
  type: "RETRY";
  payments: readonly (PaymentToCarryOut & { id: string })[];
}

const paymentsOf = (asked: OneToCarryOut | ManyToCarryOut, objectId: string): ManyToCarryOut["payments"] =>
  asked.type === "RETRY"
    ? asked.payments
    : [{ id: objectId, input: asked.input, charges: asked.charges ?? [] }];

/** What was resolved meanwhile is left out: less is sent than was approved. All that is left goes, or nothing does. */
export const carryOutCorrection =
  (services: Pick<Services, "jobs">): CarryOut =>
  async (tx, { objectId, payload, approvers, last }, acting) => {
    const asked = payload as OneToCarryOut | ManyToCarryOut;
    const payments = paymentsOf(asked, objectId);
    const batch = await getLockedBatch(tx, asked.batchId);
    const ids = payments.map(({ id }) => id);
    const rows = await findChosen(tx, batch.id, ids);
    const failed = new Set(rows.filter(({ status }) => status === "FAILED").map(({ id }) => id));
    if (failed.size === 0) throw new AppError("transfer_not_failed");
    const ready: Prepared[] = [];
    for (const { id, input, charges = [] } of payments.filter((one) => failed.has(one.id))) {
      const given = { input, charges: new Map(charges) };
      ready.push(await correctionKinds[batch.type].prepare(tx, id, acting.now, given));
    }
    const again = asked.again ?? ready.map((one) => one.again);
    await requireTicksAgain(tx, last.call, batch, again, last.confirmations);
    const approvedBy = approvers.map(({ name }) => name);
    for (const one of ready) await sendAgain(tx, services, one, { ...acting, approvedBy });
  };
