/** Second half of closing, in the background: releases the payments of a batch whose money is reserved. */
import { minuteMs, secondMs } from "@malote/domain/durations";
import {
  type FundingFinding,
  type FundingQuestions,
  firstFinding,
  turnOfShortage,
} from "@malote/domain/funding";
import { issueFormText } from "@malote/domain/issues";
import { cents } from "@malote/domain/money";
import { type LimitShortage, shortageTexts, windowEnds } from "@malote/domain/payment-limits";
import { paymentMoment } from "@malote/domain/payment-moment";
import { readCompany } from "../../company/index.ts";
import { deleteOutflow, isStillApproved } from "../../controls/index.ts";
import { countMoved } from "../../indicators/index.ts";
import { readAvailableBalance } from "../../ledger/index.ts";
import { type AuditDetail, audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { emit, emitEach } from "../../platform/events/emit.ts";
import { forEachCompany } from "../../platform/feature.ts";
import type { Services } from "../../platform/services.ts";
import { paymentKinds } from "../payment-kinds.ts";
import { dayFacts } from "../rules/day-facts.ts";
import { hasCharges } from "../transfers/store.ts";
import { listMakerIds } from "./emails.ts";
import * as lifeStore from "./life-store.ts";
import * as limitStore from "./limit-store.ts";
import { commitOrReleaseLimits, tryToConsumeForBatch } from "./limits.ts";
import { batchSnapshot } from "./present.ts";
import { failTakenCharges, listOverdueClosings, releasePayments } from "./release-store.ts";
import { reserve } from "./reserve.ts";
import * as store from "./store.ts";

/** Texts that the draft shows after a waiting batch returned automatically, by what was found. */
const sentBackReasons = {
  payments_forbidden:
    "Enquanto o lote esperava o saldo, um recebedor foi bloqueado, um limite mudou ou um boleto foi pago em outro lote. Corrija os pagamentos em destaque.",
  payments_repriced:
    "Enquanto o lote esperava o saldo, o valor de um boleto mudou: um desconto acabou ou juros passaram a ser cobrados. Confira os valores e feche o lote de novo.",
  approval_missing:
    "Enquanto o lote esperava o saldo, quem o aprovou deixou de poder aprovar ou os controles da empresa passaram a pedir mais aprovações. Envie-o de novo para aprovação.",
} as const satisfies Partial<Record<FundingFinding, string>>;

/** Returns the text for a batch that no limit period can ever hold. */
const neverFitsReason = (texts: ReturnType<typeof shortageTexts>) =>
  `O saldo chegou, mas este lote não cabe no ${texts.name}, que é de ${texts.limit}: são ${texts.value}. Divida o lote ou peça um limite maior em Minha empresa, Meus limites.`;

/** Returns the text for a batch whose money is available but whose limit is not. */
const limitedReason = (texts: ReturnType<typeof shortageTexts>) =>
  `O saldo chegou, mas o lote passa do ${texts.name}: ${texts.when} ele é de ${texts.limit} e restam ${texts.left}. Pagaremos assim que couber; o limite se renova em ${texts.renews}.`;

/**
 * Releases the payments and marks the batch as received. Its money is already reserved in the ledger. A payment whose
 * charge another payment took in the meantime fails, as it would at the network, and does not hold back the rest.
 */
async function release(
  tx: Tx,
  services: Pick<Services, "jobs">,
  batch: { id: string },
  now: Date,
): Promise<void> {
  const taken = await limitStore.listGroupsWithUse(tx, batch.id);
  const groups = taken.map((group) => ({ ...group, at: paymentMoment(group, now) }));
  const reason = issueFormText({ code: "qr_paid" });
  const lost = (await hasCharges(tx, batch.id))
    ? await failTakenCharges(tx, batch.id, { groups, reason, now })
    : [];
  await releasePayments(tx, batch.id, now, groups);
  await lifeStore.markReceived(tx, batch.id, now);
  await services.jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
  await emit(tx, { now }, { type: "batch.released", objectId: batch.id, payload: {} });
  if (lost.length === 0) return;
  await emitEach(
    tx,
    { now },
    "payment.failed",
    lost.map(({ id, value: amount }) => ({
      objectId: id,
      payload: { batchId: batch.id, amount, reason, by: "system" as const },
    })),
  );
  if (await lifeStore.settleBatch(tx, batch.id, { failed: lost.length }, now))
    await emit(tx, { now }, { type: "batch.settled", objectId: batch.id, payload: {} });
  await countMoved(tx, lost);
}

/** Runs the job `close-batch`. A repeated run finds the batch past PENDING and is a no-op. */
export async function releaseClosedBatch(
  services: Services,
  { companyId, batchId }: { companyId: string; batchId: string },
) {
  await services.db.withCompany(companyId, async (tx) => {
    const batch = await store.lockBatch(tx, batchId);
    if (batch?.status === "PENDING") await release(tx, services, batch, services.clock.now());
  });
}

/** Milliseconds after which a PENDING batch has lost its job; a release takes seconds. */
const overdueAfterMs = 30 * secondMs;
/** Milliseconds after which an unreleased batch is logged as an error, because its money stays reserved. */
const stuckAfterMs = 15 * minuteMs;

/** Releases closed batches whose job was lost (decision 0004). Does nothing while the job runs. */
export async function releaseOverdueBatches(services: Services): Promise<void> {
  const now = services.clock.now().getTime();
  const closedBefore = (ms: number) =>
    services.db.withSystem((tx) => listOverdueClosings(tx, new Date(now - ms)));
  const batches = await closedBefore(overdueAfterMs);
  for (const { company_id: companyId, id } of batches)
    await forEachCompany(services, "closing a batch", [companyId], () =>
      releaseClosedBatch(services, { companyId, batchId: id }),
    );
  if (batches.length === 0) return;
  for (const { company_id: company, id: batch, closed_at: since } of await closedBefore(stuckAfterMs))
    services.log.error({ company, batch, since }, "a closed batch was not released");
}

interface SentBack {
  /** Text for the draft and for the e-mail to its makers. */
  reason: string;
  /** Detail for the audit trail. */
  because: AuditDetail;
}

/** Moves a waiting batch that may not leave as it is back to draft, with the reason. */
async function sendBack(
  tx: Tx,
  batch: store.BatchRow,
  { reason, because }: SentBack,
  now: Date,
): Promise<void> {
  await lifeStore.returnToDraft(tx, batch.id, "DRAFT", { sentBackBy: "system", reason });
  const people = await listMakerIds(tx, batch);
  await emit(
    tx,
    { now },
    { type: "batch.sent_back", objectId: batch.id, payload: { ...batchSnapshot(batch), reason, people } },
  );
  await deleteOutflow(tx, batch.id);
  await audit(tx, { actor: "system", now }, "batch_sent_back", batch.id, because);
}

type Turn = "funded" | "sent_back" | "held" | "look_again" | "stop";

/** Returns the questions about a waiting batch, for the rule that says in which order they decide. */
function questionsAbout(
  tx: Tx,
  batch: store.BatchRow,
  company: Awaited<ReturnType<typeof readCompany>>,
  now: Date,
): FundingQuestions<AuditDetail> {
  const facts = dayFacts(company, now);
  const count = (name: string, found: number) => (found > 0 ? { [name]: found } : undefined);
  return {
    company_blocked: async () => (company.blocked ? {} : undefined),
    method_suspended: async () => ((await store.isHeldBySuspension(tx, batch.id)) ? {} : undefined),
    async payments_forbidden() {
      return count("forbidden", (await store.countNewlyWrong(tx, batch.id, facts)).forbidden);
    },
    async payments_repriced() {
      const { countRepriced } = paymentKinds[batch.type];
      return count("repriced", await countRepriced(tx, batch.id, facts, { exceptExpired: false }));
    },
    approval_missing: async () =>
      (await isStillApproved(tx, batch, now)) ? undefined : { approvals: "missing" },
  };
}

/**
 * Processes one turn of the job: the oldest waiting batch, without those that only a limit or a suspended method holds
 * back.
 */
async function fundNext(
  tx: Tx,
  services: Pick<Services, "jobs" | "clock">,
  heldBack: Set<string>,
): Promise<Turn> {
  const oldest = (await store.listWaiting(tx)).find(({ id }) => !heldBack.has(id));
  if (!oldest) return "stop";
  const batch = await store.lockBatch(tx, oldest.id);
  // Another transaction reopened or funded the batch after it was listed.
  if (batch?.status !== "WAITING" || !store.isBatch(batch)) return "look_again";
  const now = services.clock.now();
  const company = await readCompany(tx);
  const found = await firstFinding(questionsAbout(tx, batch, company, now));
  if (found?.turn === "stop") return "stop";
  if (found?.turn === "hold") {
    heldBack.add(batch.id);
    return "held";
  }
  if (found) {
    await sendBack(tx, batch, { reason: sentBackReasons[found.finding], because: found.details }, now);
    if (found.finding === "payments_repriced")
      await services.jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: batch.id });
    return "sent_back";
  }
  const { uses, shortage } = await tryToConsumeForBatch(tx, batch.id, company.settings, now);
  if (shortage) return endShortTurn(tx, batch, shortage, heldBack, now);
  const isFunded = await reserve(tx, batch, batch.closings, now);
  await commitOrReleaseLimits(tx, batch.id, uses, isFunded);
  if (!isFunded) return "stop";
  await lifeStore.markReserved(tx, batch.id);
  await release(tx, services, batch, now);
  return "funded";
}

/** Returns the shortage under the names that entries of the audit trail have. */
const auditedShortage = ({ method, ...shortage }: LimitShortage) => ({ ...shortage, type: method });

/** Ends the turn of a batch that exceeds a limit. */
async function endShortTurn(
  tx: Tx,
  batch: store.BatchRow,
  shortage: LimitShortage,
  heldBack: Set<string>,
  now: Date,
): Promise<Turn> {
  const available = cents(await readAvailableBalance(tx));
  const turn = turnOfShortage({ neverFits: shortage.neverFits, available, value: cents(batch.value) });
  const texts = shortageTexts(shortage);
  if (turn === "send_back") {
    await sendBack(
      tx,
      batch,
      { reason: neverFitsReason(texts), because: { limit: auditedShortage(shortage) } },
      now,
    );
    return "sent_back";
  }
  if (turn === "stop") return "stop";
  await limitStore.postponeForLimit(tx, batch.id, limitedReason(texts), windowEnds(now));
  heldBack.add(batch.id);
  return "held";
}

/**
 * Funds waiting batches after money came in, as a part of the job `pay-waiting-batches`: oldest first, one at a time,
 * only whole batches (ruling D18). A younger, smaller batch does not overtake, because the oldest could otherwise
 * wait forever. A batch that only a limit or a suspended method delays lets others pass, because money would not help
 * it, and is retried when the next period begins.
 */
export async function fundWaitingBatches(
  services: Services,
  { companyId }: { companyId: string },
): Promise<void> {
  const heldBack = new Set<string>();
  for (;;) {
    const turn = await services.db.withCompany(companyId, (tx) => fundNext(tx, services, heldBack));
    if (turn === "stop") return;
  }
}
