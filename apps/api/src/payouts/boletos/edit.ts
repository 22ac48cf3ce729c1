/** One billet at a time: added and changed in a draft, paid again after a failure, cancelled while it waits for its day. */
import type {
  addBillet,
  BilletInput,
  changeBillet,
  refundBillet,
  removeBillet,
} from "@malote/contracts/billets";
import { errorText } from "@malote/contracts/errors";
import { auditChanges } from "@malote/domain/audit-trail";
import { billetMoment, canCancelBillet, closesEarly } from "@malote/domain/billet";
import { type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import { issueFormText } from "@malote/domain/issues";
import { cents, formatBrl } from "@malote/domain/money";
import { readCompany } from "../../company/index.ts";
import {
  askedFor,
  type CarryOut,
  expectNotAsked,
  noteFreeCorrections,
  passControls,
} from "../../controls/index.ts";
import { moveLimits } from "../../limits/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Parts } from "../../platform/parts.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { requireTicksAgain } from "../batches/checks.ts";
import { getDraft, getLockedBatch, requireCorrector, requireGiver } from "../batches/edit.ts";
import { giveBack } from "../batches/give-back.ts";
import { applyContentChange, type BatchRow, keepingApprovals, settleBatch } from "../batches/store.ts";
import { notePaymentsChanged, type SentAgain } from "../checks/store.ts";
import type { RetryKind } from "../failures/kinds.ts";
import { markReturned } from "../transfers/store.ts";
import { removeFromDraft } from "../transfers/write.ts";
import { prepare, readFacts, readRegisters } from "./facts.ts";
import { draftFrom, inputOf } from "./present.ts";
import { read } from "./read.ts";
import {
  type BilletRow,
  billetAgain,
  correctedBilletOf,
  findBillet,
  isCodeUsed,
  lockBilletCodes,
  markCancelled,
  sendBilletAgain,
} from "./store.ts";
import { writeBilletsToDraft } from "./write.ts";

export async function add(tx: Tx, call: Call<typeof addBillet>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "BILLET") throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  await applyContentChange(
    tx,
    batch.id,
    await writeBilletsToDraft(tx, batch.id, [{ ...body, id }], now),
    actor.id,
  );
  await audit(tx, call, "billet_added", id, { batch: batch.id, value: body.value });
  return read(tx, id, now);
}

/** The batch, locked, and its billet. */
async function lockedBillet(tx: Tx, batchId: string, billetId: string) {
  const batch = await getLockedBatch(tx, batchId);
  const billet = await findBillet(tx, billetId);
  if (billet?.batch_id !== batch.id) throw new AppError("billet_not_found");
  return { batch, billet };
}

export async function change(tx: Tx, call: Call<typeof changeBillet>, parts: Pick<Parts, "jobs" | "config">) {
  const { params, actor, now } = call;
  const { confirmations: _, ...body } = call.body;
  const { batch, billet } = await lockedBillet(tx, params.id, body.id);
  if (batch.status !== "DRAFT") return payAgain(tx, call, batch, billet, parts);
  await getDraft(tx, batch.id, actor.profile);
  await applyContentChange(tx, batch.id, await writeBilletsToDraft(tx, batch.id, [body], now), actor.id);
  await audit(tx, call, "billet_changed", billet.id, {
    batch: batch.id,
    changes: auditChanges({ value: billet.value }, { value: body.value }),
  });
  return read(tx, billet.id, now);
}

/** A failed billet of a batch already paid for: the mistake is mended, the money is still set aside (decision 19). */
async function payAgain(
  tx: Tx,
  call: Call<typeof changeBillet>,
  batch: BatchRow,
  billet: BilletRow,
  parts: Pick<Parts, "jobs" | "config">,
) {
  const { now } = call;
  const { confirmations, ...body } = call.body;
  if (billet.status !== "FAILED") throw new AppError("transfer_not_editable");
  const approversMin = await requireCorrector(tx, call, batch);
  expectNotAsked(await askedFor(tx, [billet.id], now), billet.id);
  const prepared = await preparedCorrection(tx, billet, body, now);
  const again = [billetAgain(prepared.corrected, prepared.facts)];
  const ticked = await requireTicksAgain(tx, call, batch, again, confirmations);
  const payments = [await correctedBilletOf(tx, prepared.corrected, prepared.facts)];
  const correction = { batchId: batch.id, payments };
  const passed = await passControls(tx, parts, call, {
    kind: "CORRECTION",
    objectId: billet.id,
    amount: billet.value,
    approversMin,
    correction,
    payload: { type: "BILLET", batchId: batch.id, input: body, again },
    facts: [
      { label: "Lote", value: batch.name },
      { label: "Valor", value: formatBrl(cents(billet.value ?? 0)) },
      { label: "Boleto", value: prepared.corrected.draft.description ?? "Sem descrição" },
      { label: "Antes", value: billet.barcode ?? "Sem código" },
      { label: "Agora", value: prepared.corrected.draft.barcode ?? "Sem código" },
      ...ticked,
    ],
  });
  if (passed.kind === "waits") return { ...(await read(tx, billet.id, now)), awaits_approval: true };
  await sendAgain(tx, parts, batch.id, prepared, now);
  await noteFreeCorrections(tx, { correction, people: passed.people, now });
  await audit(tx, call, "billet_corrected", billet.id, { from: billet.status_description });
  return read(tx, billet.id, now);
}

async function preparedCorrection(tx: Tx, billet: BilletRow, body: BilletInput, now: Date) {
  await lockBilletCodes(tx);
  const facts = await readFacts(tx, now);
  const given = draftFrom(body);
  const registers = await readRegisters(tx, [given.barcode], facts.today);
  const corrected = prepare(billet.id, given, facts, registers(given.barcode));
  if (corrected.draft.value !== billet.value) throw new AppError("billet_value_fixed");
  if (corrected.draft.barcode && (await isCodeUsed(tx, corrected.draft.barcode, billet.id)))
    throw new AppError("billet_duplicated");
  if (corrected.errors.length > 0) throw new AppError("billet_invalid", { errors: corrected.errors });
  return { corrected, facts };
}

async function sendAgain(
  tx: Tx,
  { jobs }: Pick<Parts, "jobs">,
  batchId: string,
  { corrected, facts }: Awaited<ReturnType<typeof preparedCorrection>>,
  now: Date,
): Promise<void> {
  // Asked again: of several that were prepared together, one with the same code may have been sent a moment ago.
  if (corrected.draft.barcode && (await isCodeUsed(tx, corrected.draft.barcode, corrected.id)))
    throw new AppError("billet_duplicated");
  const wanted = corrected.draft.paymentDate as CalendarDate | null;
  const executeAt = billetMoment(wanted, closesEarly(corrected.draft), now);
  const leaving = { type: "BILLET", value: corrected.draft.value ?? 0, at: executeAt, now } as const;
  await moveLimits(tx, corrected.id, leaving, (await readCompany(tx)).settings);
  if (!(await sendBilletAgain(tx, corrected, facts, { at: now, executeAt })))
    throw new AppError("transfer_not_failed");
  await settleBatch(tx, batchId, { failed: -1 }, now);
  await notePaymentsChanged(tx, now);
  await jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
}

/** How failed boletos are paid again as they are, on the first day they can be. */
export const retryBillets = (parts: Pick<Parts, "jobs">): RetryKind => ({
  async prepare(tx, id, now, asked) {
    const billet = await findBillet(tx, id);
    if (billet?.status !== "FAILED") throw new AppError("transfer_not_failed");
    const input = (asked as BilletInput | undefined) ?? { ...inputOf(billet), payment_date: null };
    const prepared = await preparedCorrection(tx, billet, input, now);
    return {
      input,
      payment: await correctedBilletOf(tx, prepared.corrected, prepared.facts),
      again: billetAgain(prepared.corrected, prepared.facts),
      send: () => sendAgain(tx, parts, billet.batch_id, prepared, now),
    };
  },
  async problems(tx, rows, now) {
    const facts = await readFacts(tx, now);
    const codes = rows.map(({ barcode }) => barcode);
    const registers = await readRegisters(tx, codes, facts.today);
    const problems = new Map<string, string>();
    const again: SentAgain[] = [];
    for (const { id, barcode, value, description, integration_id: integrationId } of rows) {
      const draft = { barcode, value, description, integrationId, paymentDate: null };
      const prepared = prepare(id, draft, facts, registers(barcode));
      const [issue] = prepared.errors;
      again.push(billetAgain(prepared, facts));
      if (prepared.draft.value !== value) problems.set(id, errorText("billet_value_fixed"));
      else if (issue) problems.set(id, issueFormText(issue));
    }
    return { problems, again };
  },
});

export const carryOutBilletCorrection =
  (parts: Pick<Parts, "jobs">): CarryOut =>
  async (tx, { objectId, payload, last }, { now }) => {
    const { batchId, input, again } = payload as {
      batchId: string;
      input: BilletInput;
      again?: readonly SentAgain[];
    };
    const { batch, billet } = await lockedBillet(tx, batchId, objectId);
    if ((await readCompany(tx)).blocked) throw new AppError("company_blocked");
    if (billet.status !== "FAILED") throw new AppError("transfer_not_failed");
    const prepared = await preparedCorrection(tx, billet, input, now);
    const asked = again ?? [billetAgain(prepared.corrected, prepared.facts)];
    await requireTicksAgain(tx, last.call, batch, asked, last.confirmations);
    await sendAgain(tx, parts, batchId, prepared, now);
  };

/** Out of a draft, or off its schedule with its money back on the balance (BIL-022, BIL-028). */
export async function remove(tx: Tx, call: Call<typeof removeBillet>, jobs: Jobs) {
  const { params, actor } = call;
  const { batch, billet } = await lockedBillet(tx, params.id, params.billetId);
  if (batch.status !== "DRAFT") return cancel(tx, call, batch, billet, jobs);
  await getDraft(tx, batch.id, actor.profile);
  const gone = await keepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, [billet.id]));
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "billet_removed", billet.id, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

async function cancel(
  tx: Tx,
  call: Call<typeof removeBillet>,
  batch: BatchRow,
  billet: BilletRow,
  jobs: Jobs,
) {
  const { now } = call;
  const mayCancel =
    billet.status === "SCHEDULED" &&
    billet.execute_at !== null &&
    canCancelBillet("SCHEDULED", saoPauloDate(billet.execute_at), saoPauloDate(now));
  if (!mayCancel || billet.value === null || !(await markCancelled(tx, billet.id, now)))
    throw new AppError("billet_not_cancellable");
  const { id, value, description: name } = billet;
  const cancelled = { id, value, name, status_description: "Agendamento cancelado" };
  await giveBack(tx, jobs, batch.id, [cancelled], { failed: 0, now });
  await audit(tx, call, "billet_cancelled", billet.id, { batch: batch.id, value: billet.value });
  return { ok: true as const };
}

/** Gives the money of a failed billet back to the balance. */
export async function refund(tx: Tx, call: Call<typeof refundBillet>, jobs: Jobs) {
  const { params, now } = call;
  const { batch, billet } = await lockedBillet(tx, params.id, params.billetId);
  await requireGiver(tx, call);
  if (billet.status !== "FAILED") throw new AppError("transfer_not_failed");
  const returned = await markReturned(tx, batch.id, [billet.id], now);
  const value = await giveBack(tx, jobs, batch.id, returned, { failed: returned.length, now });
  await audit(tx, call, "billet_refunded", billet.id, { batch: batch.id, value });
  return read(tx, billet.id, now);
}
