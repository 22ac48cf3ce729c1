/** Two pairs of eyes: sent to approval, sent back, taken back for editing. Approving is closing. */
import type { enableBatchEdit, reproveBatch, sendBatchToApproval } from "@malote/contracts/batches";
import { decideEnableEdit, decideReprove, decideSendToApproval } from "@malote/domain/batch";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Parts } from "../platform/parts.ts";
import { factsOf } from "./close.ts";
import { getLockedBatch } from "./edit.ts";
import { tellAdminsOfApproval, tellCreatorOfReproval } from "./letters.ts";
import { batchOf } from "./present.ts";
import { getBatch } from "./read.ts";
import * as store from "./store.ts";

export async function sendToApproval(tx: Tx, call: Call<typeof sendBatchToApproval>, parts: Parts) {
  const { params, body, actor, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  const { settings } = await readCompany(tx);
  const decision = decideSendToApproval({
    batch: await factsOf(tx, batch, settings, now),
    actor: { profile: actor.profile, userId: actor.id },
    ...(body.revision !== undefined && { seenRevision: body.revision }),
  });
  if (decision.kind === "refused") throw new AppError(decision.code, decision.data ?? null);
  await store.markSentToApproval(tx, batch.id, decision.approvalRevision, await store.digestOf(tx, batch.id));
  await audit(tx, call, "batch_sent_to_approval", batch.id, { revision: batch.revision, value: batch.value });
  await tellAdminsOfApproval(tx, parts, batch, actor);
  return batchOf(await getBatch(tx, batch.id));
}

export async function reprove(tx: Tx, call: Call<typeof reproveBatch>, parts: Parts) {
  const batch = await getLockedBatch(tx, call.params.id);
  const decision = decideReprove({ status: batch.status, profile: call.actor.profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  const reason = call.body.reason || null;
  await store.markDraftAgain(tx, batch.id, reason);
  await audit(tx, call, "batch_reproved", batch.id, { reason });
  await tellCreatorOfReproval(tx, parts, batch, call.actor, reason);
  return batchOf(await getBatch(tx, batch.id));
}

export async function enableEdit(tx: Tx, call: Call<typeof enableBatchEdit>, jobs: Jobs) {
  const batch = await getLockedBatch(tx, call.params.id);
  const decision = decideEnableEdit({ status: batch.status, profile: call.actor.profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  await store.markDraftAgain(tx, batch.id, null);
  await audit(tx, call, "batch_reopened", batch.id, { was: batch.status });
  // It stood before others in the line for money; the next one may need less.
  if (batch.status === "WAITING") await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  return batchOf(await getBatch(tx, batch.id));
}
