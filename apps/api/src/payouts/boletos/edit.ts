/** One boleto at a time: added and changed in a draft, paid again after a failure, cancelled while it waits for its day. */
import type {
  addBillet,
  BoletoInput,
  changeBillet,
  refundBillet,
  removeBillet,
} from "@malote/contracts/boletos";
import { errorText } from "@malote/contracts/errors";
import { auditChanges } from "@malote/domain/audit-trail";
import { boletoMoment, canCancelBoleto, closesEarly } from "@malote/domain/boleto";
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
import type { Services } from "../../platform/services.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { requireTicksAgain } from "../batches/checks.ts";
import { giveBack } from "../batches/give-back.ts";
import { settleBatch } from "../batches/life-store.ts";
import { getDraft, getLockedBatch } from "../batches/locked-batch.ts";
import { applyContentChange, type BatchRow, keepingApprovals } from "../batches/store.ts";
import { requireCorrector, requireGiver } from "../batches/who-resolves.ts";
import { notePaymentsChanged } from "../checks/kept.ts";
import { type Sending, sendCorrected } from "../draft-payments.ts";
import type { RetryKind } from "../failures/kinds.ts";
import { lockBoletoCodes } from "../locks.ts";
import type { SentAgain } from "../payment-columns.ts";
import { markReturned } from "../transfers/store.ts";
import { removeFromDraft } from "../transfers/write.ts";
import { prepare, readFacts, readRegisters } from "./facts.ts";
import { draftFrom, inputOf } from "./present.ts";
import { read } from "./read.ts";
import {
  type BoletoRow,
  boletoAgain,
  correctedBoletoOf,
  findBoleto,
  isCodeUsed,
  markCancelled,
  recordOf,
} from "./store.ts";
import { writeBoletosToDraft } from "./write.ts";

export async function add(tx: Tx, call: Call<typeof addBillet>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "BILLET") throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  await applyContentChange(
    tx,
    batch.id,
    await writeBoletosToDraft(tx, batch.id, [{ ...body, id }], now),
    actor.id,
  );
  await audit(tx, call, "billet_added", id, { batch: batch.id, value: body.value });
  return read(tx, id, now);
}

/** The batch, locked, and its boleto. */
async function lockedBoleto(tx: Tx, batchId: string, billetId: string) {
  const batch = await getLockedBatch(tx, batchId);
  const boleto = await findBoleto(tx, billetId);
  if (boleto?.batch_id !== batch.id) throw new AppError("billet_not_found");
  return { batch, boleto };
}

export async function change(
  tx: Tx,
  call: Call<typeof changeBillet>,
  services: Pick<Services, "jobs" | "config">,
) {
  const { params, actor, now } = call;
  const { confirmations: _, ...body } = call.body;
  const { batch, boleto } = await lockedBoleto(tx, params.id, body.id);
  if (batch.status !== "DRAFT") return payAgain(tx, call, batch, boleto, services);
  await getDraft(tx, batch.id, actor.profile);
  await applyContentChange(tx, batch.id, await writeBoletosToDraft(tx, batch.id, [body], now), actor.id);
  await audit(tx, call, "billet_changed", boleto.id, {
    batch: batch.id,
    changes: auditChanges({ value: boleto.value }, { value: body.value }),
  });
  return read(tx, boleto.id, now);
}

/** A failed boleto of a batch already paid for: the mistake is corrected, the money is still reserved (decision 19). */
async function payAgain(
  tx: Tx,
  call: Call<typeof changeBillet>,
  batch: BatchRow,
  boleto: BoletoRow,
  services: Pick<Services, "jobs" | "config">,
) {
  const { now } = call;
  const { confirmations, ...body } = call.body;
  if (boleto.status !== "FAILED") throw new AppError("transfer_not_editable");
  const approversMin = await requireCorrector(tx, call, batch);
  expectNotAsked(await askedFor(tx, [boleto.id], now), boleto.id);
  const prepared = await preparedCorrection(tx, boleto, body, now);
  const again = [boletoAgain(prepared.corrected, prepared.facts)];
  const ticked = await requireTicksAgain(tx, call, batch, again, confirmations);
  const payments = [await correctedBoletoOf(tx, prepared.corrected, prepared.facts)];
  const correction = { batchId: batch.id, payments };
  const passed = await passControls(tx, call, {
    kind: "CORRECTION",
    objectId: boleto.id,
    amount: boleto.value,
    approversMin,
    correction,
    payload: { type: "BILLET", batchId: batch.id, input: body, again },
    facts: [
      { label: "Lote", value: batch.name },
      { label: "Valor", value: formatBrl(cents(boleto.value ?? 0)) },
      { label: "Boleto", value: prepared.corrected.draft.description ?? "Sem descrição" },
      { label: "Antes", value: boleto.barcode ?? "Sem código" },
      { label: "Agora", value: prepared.corrected.draft.barcode ?? "Sem código" },
      ...ticked,
    ],
  });
  if (passed.kind === "waits") return { ...(await read(tx, boleto.id, now)), awaits_approval: true };
  await sendAgain(tx, services, batch.id, prepared, call);
  await noteFreeCorrections(tx, { correction, people: passed.people, now });
  await audit(tx, call, "billet_corrected", boleto.id, { from: boleto.status_description });
  return read(tx, boleto.id, now);
}

async function preparedCorrection(tx: Tx, boleto: BoletoRow, body: BoletoInput, now: Date) {
  await lockBoletoCodes(tx);
  const facts = await readFacts(tx, now);
  const given = draftFrom(body);
  const registers = await readRegisters(tx, [given.barcode], facts.today);
  const corrected = prepare(boleto.id, given, facts, registers(given.barcode));
  if (corrected.draft.value !== boleto.value) throw new AppError("billet_value_fixed");
  if (corrected.draft.barcode && (await isCodeUsed(tx, corrected.draft.barcode, boleto.id)))
    throw new AppError("billet_duplicated");
  if (corrected.errors.length > 0) throw new AppError("billet_invalid", { errors: corrected.errors });
  return { corrected, facts };
}

async function sendAgain(
  tx: Tx,
  { jobs }: Pick<Services, "jobs">,
  batchId: string,
  { corrected, facts }: Awaited<ReturnType<typeof preparedCorrection>>,
  acting: Sending,
): Promise<void> {
  const { now } = acting;
  // Asked again: of several that were prepared together, one with the same code may have been sent a moment ago.
  if (corrected.draft.barcode && (await isCodeUsed(tx, corrected.draft.barcode, corrected.id)))
    throw new AppError("billet_duplicated");
  const wanted = corrected.draft.paymentDate as CalendarDate | null;
  const executeAt = boletoMoment(wanted, closesEarly(corrected.draft), now);
  const leaving = { type: "BILLET", value: corrected.draft.value ?? 0, at: executeAt, now } as const;
  await moveLimits(tx, corrected.id, leaving, (await readCompany(tx)).settings);
  const record = recordOf(corrected, facts);
  const sent = await sendCorrected(tx, { kind: "BILLET", batchId, executeAt, acting }, record);
  if (!sent) throw new AppError("transfer_not_failed");
  await settleBatch(tx, batchId, { failed: -1 }, now);
  await notePaymentsChanged(tx, now);
  await jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
}

/** How failed boletos are paid again as they are, on the first day they can be. */
export const retryBoletos = (services: Pick<Services, "jobs">): RetryKind => ({
  async prepare(tx, id, now, asked) {
    const boleto = await findBoleto(tx, id);
    if (boleto?.status !== "FAILED") throw new AppError("transfer_not_failed");
    const input = (asked as BoletoInput | undefined) ?? { ...inputOf(boleto), payment_date: null };
    const prepared = await preparedCorrection(tx, boleto, input, now);
    return {
      input,
      payment: await correctedBoletoOf(tx, prepared.corrected, prepared.facts),
      again: boletoAgain(prepared.corrected, prepared.facts),
      send: (acting) => sendAgain(tx, services, boleto.batch_id, prepared, acting),
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
      again.push(boletoAgain(prepared, facts));
      if (prepared.draft.value !== value) problems.set(id, errorText("billet_value_fixed"));
      else if (issue) problems.set(id, issueFormText(issue));
    }
    return { problems, again };
  },
});

export const carryOutBoletoCorrection =
  (services: Pick<Services, "jobs">): CarryOut =>
  async (tx, { objectId, payload, last }, acting) => {
    const { now } = acting;
    const { batchId, input, again } = payload as {
      batchId: string;
      input: BoletoInput;
      again?: readonly SentAgain[];
    };
    const { batch, boleto } = await lockedBoleto(tx, batchId, objectId);
    if ((await readCompany(tx)).blocked) throw new AppError("company_blocked");
    if (boleto.status !== "FAILED") throw new AppError("transfer_not_failed");
    const prepared = await preparedCorrection(tx, boleto, input, now);
    const asked = again ?? [boletoAgain(prepared.corrected, prepared.facts)];
    await requireTicksAgain(tx, last.call, batch, asked, last.confirmations);
    await sendAgain(tx, services, batchId, prepared, acting);
  };

/** Out of a draft, or off its schedule with its money back on the balance (BIL-022, BIL-028). */
export async function remove(tx: Tx, call: Call<typeof removeBillet>, jobs: Jobs) {
  const { params, actor } = call;
  const { batch, boleto } = await lockedBoleto(tx, params.id, params.billetId);
  if (batch.status !== "DRAFT") return cancel(tx, call, batch, boleto, jobs);
  await getDraft(tx, batch.id, actor.profile);
  const gone = await keepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, [boleto.id]));
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "billet_removed", boleto.id, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

async function cancel(
  tx: Tx,
  call: Call<typeof removeBillet>,
  batch: BatchRow,
  boleto: BoletoRow,
  jobs: Jobs,
) {
  const { now } = call;
  const mayCancel =
    boleto.status === "SCHEDULED" &&
    boleto.execute_at !== null &&
    canCancelBoleto("SCHEDULED", saoPauloDate(boleto.execute_at), saoPauloDate(now));
  if (!mayCancel || boleto.value === null || !(await markCancelled(tx, boleto.id, now)))
    throw new AppError("billet_not_cancellable");
  const { id, value, description: name } = boleto;
  const cancelled = { id, value, name, status_description: "Agendamento cancelado" };
  await giveBack(tx, jobs, batch.id, [cancelled], { had: "scheduled", call });
  await audit(tx, call, "billet_cancelled", boleto.id, { batch: batch.id, value: boleto.value });
  return { ok: true as const };
}

/** Gives the money of a failed boleto back to the balance. */
export async function refund(tx: Tx, call: Call<typeof refundBillet>, jobs: Jobs) {
  const { params, now } = call;
  const { batch, boleto } = await lockedBoleto(tx, params.id, params.billetId);
  await requireGiver(tx, call);
  if (boleto.status !== "FAILED") throw new AppError("transfer_not_failed");
  const returned = await markReturned(tx, batch.id, [boleto.id], now);
  const value = await giveBack(tx, jobs, batch.id, returned, { had: "failed", call });
  await audit(tx, call, "billet_refunded", boleto.id, { batch: batch.id, value });
  return read(tx, boleto.id, now);
}
