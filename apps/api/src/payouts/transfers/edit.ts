/** One payment at a time, from the wizard: added and changed in a draft, corrected after a failure, given back. */
import type {
  addTransfer,
  changeTransfer,
  refundTransfer,
  removeTransfer,
  removeTransfers,
  TransferInput,
} from "@malote/contracts/transfers";
import { auditChanges } from "@malote/domain/audit-trail";
import { issueFormText } from "@malote/domain/issues";
import { cents, formatBrl } from "@malote/domain/money";
import { locationOf, type PixCharge } from "@malote/domain/pix-charge";
import { isMaskOf, isObfuscatedTaxId } from "@malote/domain/tax-id";
import { readCompany } from "../../company/index.ts";
import {
  askedFor,
  type CarryOut,
  expectNotAsked,
  noteFreeCorrections,
  passControls,
} from "../../controls/index.ts";
import { countMoved } from "../../indicators/index.ts";
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
import { tedMoment } from "../batches/limits.ts";
import { getDraft, getLockedBatch } from "../batches/locked-batch.ts";
import { applyContentChange, type BatchRow, keepingApprovals } from "../batches/store.ts";
import { requireCorrector, requireGiver } from "../batches/who-resolves.ts";
import { notePaymentsChanged } from "../checks/kept.ts";
import { type Sending, sendCorrected } from "../draft-payments.ts";
import type { RetryKind } from "../failures/kinds.ts";
import { lockBoletoCodes } from "../locks.ts";
import { noCharges, type ReadCharges } from "../lookups/ask-codes.ts";
import type { SentAgain } from "../payment-columns.ts";
import { prepare, readFacts } from "./facts.ts";
import { codeFrom, draftFrom, inputOf, placeOf } from "./present.ts";
import { read } from "./read.ts";
import {
  correctedPaymentOf,
  draftOf,
  findTransfer,
  isChargeUsed,
  markReturned,
  recordOf,
  type TransferRow,
  type TransferToWrite,
  transferAgain,
} from "./store.ts";
import { removeFromDraft, writeToDraft } from "./write.ts";

export async function add(tx: Tx, call: Call<typeof addTransfer>, charges: ReadCharges, jobs: Jobs) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "TRANSFER") throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  const grown = await writeToDraft(tx, batch.id, [{ ...body, id }], actor, now, charges);
  await applyContentChange(tx, batch.id, grown, actor.id);
  await jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: batch.id });
  await audit(tx, call, "transfer_added", id, { batch: batch.id, value: body.value });
  return read(tx, id, now);
}

export async function change(
  tx: Tx,
  call: Call<typeof changeTransfer>,
  charges: ReadCharges,
  services: Pick<Services, "jobs" | "config">,
) {
  const { params, actor, now } = call;
  const { confirmations: _, ...body } = call.body;
  const batch = await getLockedBatch(tx, params.id);
  const transfer = await findTransfer(tx, params.tid);
  if (!transfer || transfer.batch_id !== batch.id) throw new AppError("not_found");
  if (batch.status === "DRAFT") {
    const draft = await getDraft(tx, params.id, actor.profile);
    await applyContentChange(
      tx,
      draft.id,
      await writeToDraft(tx, draft.id, [{ ...body, id: transfer.id }], actor, now, charges),
      actor.id,
    );
    await services.jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: draft.id });
    await audit(tx, call, "transfer_changed", transfer.id, {
      batch: draft.id,
      changes: auditChanges({ value: transfer.value }, { value: body.value }),
    });
    return read(tx, transfer.id, now);
  }
  return correct(tx, call, batch, transfer, charges, services);
}

/** A failed payment of a batch already paid for: the mistake is corrected, the money is still reserved (TRF-045). */
async function correct(
  tx: Tx,
  call: Call<typeof changeTransfer>,
  batch: BatchRow,
  transfer: TransferRow,
  charges: ReadCharges,
  services: Pick<Services, "jobs" | "config">,
) {
  const { now } = call;
  const { confirmations, ...body } = call.body;
  if (transfer.status !== "FAILED") throw new AppError("transfer_not_editable");
  const approversMin = await requireCorrector(tx, call, batch);
  expectNotAsked(await askedFor(tx, [transfer.id], now), transfer.id);
  const corrected = await preparedCorrection(tx, transfer, body, now, charges);
  const { draft } = corrected;
  const again = [transferAgain(corrected)];
  const ticked = await requireTicksAgain(tx, call, batch, again, confirmations);
  const correction = { batchId: batch.id, payments: [await correctedPaymentOf(tx, corrected)] };
  const passed = await passControls(tx, call, {
    kind: "CORRECTION",
    objectId: transfer.id,
    amount: transfer.value,
    approversMin,
    correction,
    payload: { type: "TRANSFER", batchId: batch.id, input: body, charges: [...charges], again },
    facts: [
      { label: "Lote", value: batch.name },
      { label: "Valor", value: formatBrl(cents(transfer.value ?? 0)) },
      { label: "Recebedor", value: draft.name ?? transfer.name ?? "Não informado" },
      {
        label: "Antes",
        value: placeOf(draftOf(transfer)),
      },
      { label: "Agora", value: placeOf(draft) },
      ...ticked,
    ],
  });
  if (passed.kind === "waits") return { ...(await read(tx, transfer.id, now)), awaits_approval: true };
  await sendAgain(tx, services, transfer, corrected, call);
  await noteFreeCorrections(tx, { correction, people: passed.people, now });
  await audit(tx, call, "transfer_corrected", transfer.id, { from: transfer.status_description });
  return read(tx, transfer.id, now);
}

/** Refuses what is no payment of the same value to somebody who may be paid. */
async function preparedCorrection(
  tx: Tx,
  transfer: TransferRow,
  body: TransferInput,
  now: Date,
  charges: ReadCharges = noCharges,
) {
  if (body.value !== null && body.value !== transfer.value) throw new AppError("transfer_value_fixed");
  const given = draftFrom(body);
  if (given.taxId && isObfuscatedTaxId(given.taxId) && !isMaskOf(given.taxId, transfer.tax_id))
    throw new AppError("transfer_invalid", { errors: [{ code: "tax_id_invalid", field: "cpf_cnpj" }] });
  const facts = await readFacts(tx, now);
  const corrected = prepare(
    transfer.id,
    {
      ...given,
      // A masked document is how a screen shows a stranger's; it means "the one you have".
      taxId: isMaskOf(given.taxId, transfer.tax_id) ? transfer.tax_id : given.taxId,
      value: transfer.value,
      paymentDate: null,
      // What was approved is carried out with the charge as it was read; its own institution refuses what has changed.
      ...(transfer.emv !== null &&
      (body.emv === undefined || (body.emv === transfer.emv && !charges.has(transfer.emv)))
        ? { emv: transfer.emv, charge: transfer.emv_data }
        : codeFrom(body.emv, charges)),
    },
    facts,
  );
  // By one at a time, as boletos are: of two payments of one charge the second sees the first.
  if (locationOf(corrected.draft.emv)) await lockBoletoCodes(tx);
  if (await isItsChargeUsed(tx, corrected)) corrected.errors.push({ code: "qr_duplicated", field: "emv" });
  if (corrected.errors.length > 0) throw new AppError("transfer_invalid", { errors: corrected.errors });
  return corrected;
}

/** Whether another payment under way pays the charge of this one's code. */
async function isItsChargeUsed(tx: Tx, { id, draft }: TransferToWrite): Promise<boolean> {
  const location = locationOf(draft.emv);
  return location !== null && (await isChargeUsed(tx, location, id));
}

async function sendAgain(
  tx: Tx,
  { jobs }: Pick<Services, "jobs">,
  transfer: TransferRow,
  corrected: TransferToWrite,
  acting: Sending,
): Promise<void> {
  const { now } = acting;
  // Asked again: of several that were prepared together, one with the same charge may have been sent a moment ago.
  if (await isItsChargeUsed(tx, corrected))
    throw new AppError("transfer_invalid", { errors: [{ code: "qr_duplicated", field: "emv" }] });
  const executeAt = corrected.method === "TED" ? tedMoment(null, now) : now;
  const leaving = { type: corrected.method, value: transfer.value ?? 0, at: executeAt, now };
  await moveLimits(tx, transfer.id, leaving, (await readCompany(tx)).settings);
  const { batch_id: batchId } = transfer;
  const sent = await sendCorrected(tx, { kind: "TRANSFER", batchId, executeAt, acting }, recordOf(corrected));
  if (!sent) throw new AppError("transfer_not_failed");
  await settleBatch(tx, batchId, { failed: -1 }, now);
  await notePaymentsChanged(tx, now);
  await countMoved(tx, [sent]);
  await jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
}

/** How failed payments are sent again as they are; those of boletos are the other feature's. */
export const retryTransfers = (services: Pick<Services, "jobs">): RetryKind => ({
  async prepare(tx, id, now, asked) {
    const transfer = await findTransfer(tx, id);
    if (transfer?.status !== "FAILED") throw new AppError("transfer_not_failed");
    const input = (asked as TransferInput | undefined) ?? inputOf(transfer);
    const corrected = await preparedCorrection(tx, transfer, input, now);
    return {
      input,
      payment: await correctedPaymentOf(tx, corrected),
      again: transferAgain(corrected),
      send: (acting) => sendAgain(tx, services, transfer, corrected, acting),
    };
  },
  async problems(tx, rows, now) {
    const facts = await readFacts(tx, now);
    const problems = new Map<string, string>();
    const again = rows.map((row) => prepare(row.id, { ...draftOf(row), paymentDate: null }, facts));
    for (const { id, errors } of again) {
      const [issue] = errors;
      if (issue) problems.set(id, issueFormText(issue));
    }
    return { problems, again: again.map(transferAgain) };
  },
});

interface CorrectionToCarryOut {
  batchId: string;
  input: TransferInput;
  /** What the codes in it asked for when it was asked for: no network is called where it is carried out. */
  charges?: readonly (readonly [string, PixCharge])[];
  /** Its row as it would be sent, which ticks are of. */
  again?: readonly SentAgain[];
}

/** Of the corrections of transfers; those of boletos are the other feature's. */
export const carryOutCorrection =
  (services: Pick<Services, "jobs">): CarryOut =>
  async (tx, { objectId, payload, last }, acting) => {
    const { now } = acting;
    const { batchId, input, charges, again } = payload as CorrectionToCarryOut;
    const batch = await getLockedBatch(tx, batchId);
    if ((await readCompany(tx)).blocked) throw new AppError("company_blocked");
    const transfer = await findTransfer(tx, objectId);
    if (transfer?.status !== "FAILED") throw new AppError("transfer_not_failed");
    // Asked for before charges were kept with the request, it has none.
    const corrected = await preparedCorrection(tx, transfer, input, now, new Map(charges ?? []));
    await requireTicksAgain(tx, last.call, batch, again ?? [transferAgain(corrected)], last.confirmations);
    await sendAgain(tx, services, transfer, corrected, acting);
  };

export async function remove(tx: Tx, call: Call<typeof removeTransfer>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await keepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, [call.params.tid]));
  if (gone.removed === 0) throw new AppError("not_found");
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "transfer_removed", call.params.tid, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

export async function removeMany(tx: Tx, call: Call<typeof removeTransfers>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await keepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, call.body.ids));
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "transfers_removed", batch.id, { removed: gone.removed });
  return { removed: gone.removed };
}

/** Gives the money of a failed payment back to the balance; with it that of every failed payment to the same receiver (TRF-047). */
export async function refund(tx: Tx, call: Call<typeof refundTransfer>, jobs: Jobs) {
  const { params, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  const transfer = await findTransfer(tx, params.tid);
  if (!transfer || transfer.batch_id !== batch.id) throw new AppError("not_found");
  await requireGiver(tx, call);
  if (transfer.status !== "FAILED") throw new AppError("transfer_not_failed");
  const returned = await markReturned(tx, batch.id, [transfer.id], now);
  const value = await giveBack(tx, jobs, batch.id, returned, { had: "failed", call });
  await countMoved(tx, returned);
  await audit(tx, call, "transfers_refunded", batch.id, { transfers: returned.map((one) => one.id), value });
  return read(tx, transfer.id, now);
}
