/** The second half of closing, in the background: payments of a batch whose money is set aside go on their way. */
import { billetMoment } from "@malote/domain/billet";
import {
  businessDayOnOrAfter,
  type CalendarDate,
  isBusinessDay,
  nextBusinessDay,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
  tedCutOff,
} from "@malote/domain/calendar";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";

import type { Parts } from "../platform/parts.ts";
import { readFacts } from "../transfers/index.ts";
import { reserve } from "./close.ts";
import * as store from "./store.ts";

/** TEDs are taken from half past six in the morning. */
const tedOpensMs = 6.5 * 3_600_000;

/** The moment a TED for this day may be sent; null is as soon as possible. */
export function tedMoment(day: string | null, now: Date): Date {
  const today = saoPauloDate(now);
  const wanted = day === null || day < today ? today : (day as CalendarDate);
  const tooLate = wanted === today && isBusinessDay(today) && saoPauloTime(now) > tedCutOff;
  const runsOn = tooLate ? nextBusinessDay(wanted) : businessDayOnOrAfter(wanted);
  const opens = new Date(startOfDay(runsOn).getTime() + tedOpensMs);
  return opens > now ? opens : now;
}

function momentOf({ method, day, isEarly }: store.Window, now: Date): Date {
  return method === "TED" ? tedMoment(day, now) : billetMoment(day as CalendarDate | null, isEarly, now);
}

/** What the draft shows when a waiting batch comes back by itself. */
const forbiddenReason =
  "Enquanto o lote esperava o saldo, um recebedor foi bloqueado, um limite mudou ou um boleto foi pago em outro lote. Corrija os pagamentos em destaque.";

/** Moves the payments and tells that the batch's money was received. Expects its reservation in the ledger. */
async function release(tx: Tx, parts: Pick<Parts, "jobs">, batch: { id: string }, now: Date): Promise<void> {
  const windows = await store.windowsOf(tx, batch.id);
  await store.releaseTransfers(
    tx,
    batch.id,
    now,
    windows.map((window) => ({ ...window, at: momentOf(window, now) })),
  );
  await store.markReceived(tx, batch.id, now);
  await parts.jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
  await parts.jobs.enqueue(tx, "remember-receivers", { companyId: tx.companyId, batchId: batch.id });
}

/** The job `close-batch`. Running again finds the batch past PENDING and does nothing. */
export async function releaseClosedBatch(
  parts: Parts,
  { companyId, batchId }: { companyId: string; batchId: string },
) {
  await parts.db.withCompany(companyId, async (tx) => {
    const batch = await store.lockBatch(tx, batchId);
    if (batch?.status === "PENDING") await release(tx, parts, batch, parts.clock.now());
  });
}

/**
 * The job `pay-waiting-batches`, after money came in: oldest first, one at a time, only whole batches (decision 18).
 * A younger, smaller batch does not overtake: whoever waits longest would otherwise wait for ever.
 */
export async function payWaitingBatches(parts: Parts, { companyId }: { companyId: string }): Promise<void> {
  for (;;) {
    const paid = await parts.db.withCompany(companyId, async (tx) => {
      const [oldest] = await store.listWaiting(tx);
      if (!oldest) return false;
      const batch = await store.lockBatch(tx, oldest.id);
      // Taken back for editing, or paid by another worker, since we looked: look again.
      if (batch?.status !== "WAITING") return true;
      const now = parts.clock.now();
      const { forbidden } = await store.countNewlyWrong(tx, batch.id, await readFacts(tx, now));
      if (forbidden > 0) {
        // It would be refused at closing today. A person has to look at it; the next in line is not kept waiting.
        await store.markDraftAgain(tx, batch.id, forbiddenReason);
        await audit(tx, { actor: "system", now }, "batch_sent_back", batch.id, { forbidden });
        return true;
      }
      if (!(await reserve(tx, batch, batch.closings, now))) return false;
      await store.markReserved(tx, batch.id);
      await release(tx, parts, batch, now);
      return true;
    });
    if (!paid) return;
  }
}
