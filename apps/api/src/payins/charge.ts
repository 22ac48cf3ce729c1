/**
 * Charges a payer. The row is committed before the network is called, outside any transaction; the payer sees nothing
 * that the network does not know. When the answer is lost, the caller or the schedule repeats the call with the same
 * id.
 */

import { bankBarcode, formatBoletoLine } from "@malote/domain/boleto-code";
import { writeDynamicBrCode } from "@malote/domain/br-code";
import { saoPauloDate } from "@malote/domain/calendar";
import { hourMs, minuteMs } from "@malote/domain/durations";
import type { LateTerms } from "@malote/domain/late-charges";
import { cents } from "@malote/domain/money";
import { ownInstitution } from "@malote/domain/own-institution";
import { businessDaysAfter, type PayinStatus, pixChargeHours } from "@malote/domain/payin";
import { chargeFunctionOf } from "@malote/domain/suspended-functions";
import { readCompany, requireFunction } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { declareLock, lockObject } from "../platform/db/locks.ts";
import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Card, ChargeOrder, ChargeState } from "../ports/charges.ts";
import { applyAnswer } from "./apply-event.ts";
import { claimDueCharges, type DueCharge, hasPendingSale, listPendingCharges } from "./charge-store.ts";
import { lockLink } from "./link-store.ts";
import type { ChargingNeeds } from "./needs.ts";
import {
  findOpenBoleto,
  findPayin,
  insertPayin,
  lockPayin,
  type NewPayin,
  type PayinRow,
  updatePayinFacts,
} from "./store.ts";

export interface ChargeRequest {
  /**
   * A UUID known before the first try: a repeated id is the same charge. It identifies the charge at the network too,
   * so the server makes it and the payer never chooses it.
   */
  id: string;
  paymentLinkId: string | null;
  /** Centavos. */
  amount: number;
  /** The tax id without its mask. */
  payer: { name: string; taxId: string };
  description: string | null;
  method:
    | { kind: "pix" }
    | { kind: "boleto"; dueInBusinessDays: number; late?: LateTerms | null }
    | { kind: "credit_card"; installments: number; card: Card };
}

/** Fields of a charge that its payer may see. */
export interface Charge {
  id: string;
  status: PayinStatus;
  amount: number;
  /** False until the network answered: show nothing to pay yet, and call again with the same id. */
  isReady: boolean;
  pix: { brCode: string; expiresAt: Date } | null;
  boleto: { digitableLine: string; barcode: string; dueDate: string } | null;
  /** `rejectionReason`: a code of PAY-025. */
  card: { installments: number; authorizationCode: string | null; rejectionReason: string | null } | null;
}

const payinTypes = { pix: "pix_dynamic_qrcode", boleto: "boleto", credit_card: "credit_card" } as const;

/**
 * Returns the location at which a payer's bank fetches the charge: our host with the charge's unique id. Payers of
 * every brand see it.
 */
const brCodeLocation = (pixHost: string, id: string) => `${pixHost}/qr/v2/${id.replaceAll("-", "")}`;
/** Returns a txid of 26 to 35 alphanumeric characters, by Bacen's rule for charges. */
const txidOf = (id: string) => id.replaceAll("-", "");

/** Returns 25 digits, derived from as much of the id as fits, so that no other boleto of ours has them. */
const freeFieldOf = (id: string) =>
  (BigInt(`0x${id.replaceAll("-", "")}`) % 10n ** 24n).toString().padStart(25, "0");

/** Time during which the caller that made the charge may retry by itself. */
const unansweredAfterMs = 2 * minuteMs;

async function buildCharge(
  tx: Tx,
  { config }: Pick<ChargingNeeds, "config">,
  request: ChargeRequest,
  now: Date,
): Promise<NewPayin> {
  const { id, method, payer } = request;
  const amount = cents(request.amount);
  const charge: NewPayin = {
    id,
    status: "pending",
    payment_type: payinTypes[method.kind],
    amount,
    original_amount: amount,
    payer_name: payer.name,
    payer_tax_id: payer.taxId,
    charge_id: id,
    payment_link_id: request.paymentLinkId,
    created_at: now,
    ask_at: new Date(now.getTime() + unansweredAfterMs),
    details: { ...(request.description && { description: request.description }) },
  };
  if (method.kind === "pix") {
    const txid = txidOf(id);
    const company = await readCompany(tx);
    const brCode = writeDynamicBrCode({
      location: brCodeLocation(config.pixHost, id),
      merchantName: company.name,
      merchantCity: company.city ?? "BRASIL",
    });
    const expiresAt = new Date(now.getTime() + pixChargeHours * hourMs);
    return { ...charge, txid, expires_at: expiresAt, details: { ...charge.details, br_code: brCode } };
  }
  if (method.kind === "boleto") {
    const dueDate = businessDaysAfter(saoPauloDate(now), method.dueInBusinessDays);
    const barcode = bankBarcode({
      bankCode: ownInstitution().code,
      dueDate,
      value: amount,
      freeField: freeFieldOf(id),
    });
    const codes = {
      barcode,
      digitable_line: formatBoletoLine(barcode),
      due_date: dueDate,
      ...(method.late && { late: method.late }),
    };
    return { ...charge, details: { ...charge.details, ...codes } };
  }
  const { installments, card } = method;
  return {
    ...charge,
    details: { ...charge.details, installments, card_last_digits: lastDigitsOf(card) },
  };
}

const lastDigitsOf = ({ number }: Card) => number.slice(-4);

const isForAnother = (payin: PayinRow, { payer }: ChargeRequest): boolean =>
  payin.payer_name !== payer.name || payin.payer_tax_id !== payer.taxId;

/** Returns whether a repeated card charge has other instalments, another card or another payer than its row. */
const hasOtherTerms = (payin: PayinRow, request: ChargeRequest): boolean =>
  request.method.kind === "credit_card" &&
  (payin.details.installments !== request.method.installments ||
    payin.details.card_last_digits !== lastDigitsOf(request.method.card) ||
    isForAnother(payin, request));

/** Refuses another charge under a used id, because it would show one payer the charge of another. */
function requireSame(payin: PayinRow, request: ChargeRequest): void {
  const isSame =
    payin.payment_type === payinTypes[request.method.kind] &&
    payin.original_amount === request.amount &&
    payin.payment_link_id === request.paymentLinkId;
  // A card sale with other terms is cancelled instead. After the money arrived, the row may name the actual payer.
  const isMadeOutTo = request.method.kind !== "credit_card" && payin.status === "pending";
  if (!isSame || (isMadeOutTo && isForAnother(payin, request))) throw new AppError("idempotency_key_reused");
}

/**
 * Refuses a charge of a deleted link, and a second card for a link. Locks the link to the end of the transaction, so
 * that a deletion sees the charge or the charge sees the deletion. The row of a sale exists before the acquirer is
 * called and the database allows one per link, so nothing is authorised for the second payer.
 */
async function requireOpenLink(tx: Tx, { id, paymentLinkId, method }: ChargeRequest): Promise<void> {
  if (paymentLinkId === null) return;
  const link = await lockLink(tx, paymentLinkId);
  if (!link) throw new AppError("checkout_not_found");
  if (method.kind !== "credit_card") return;
  if (link.is_paid) throw new AppError("checkout_paid");
  if (await hasPendingSale(tx, paymentLinkId, id)) throw new AppError("checkout_being_paid");
}

/**
 * Charges a payer. Opens its own transactions, so call it outside any. `id` is a UUID of the server, never the payer's
 * choice. Resolves even when the network did not answer: `isReady` is false then; call it again with the same id, or
 * leave it to the schedule and poll `readCharge`. Refuses an id that another charge has, and other terms for an
 * unanswered card sale: that sale is cancelled, or reported if the acquirer had made it.
 */
export async function createCharge(
  services: ChargingNeeds,
  companyId: string,
  request: ChargeRequest,
): Promise<Charge> {
  const payin = await services.db.withCompany(companyId, async (tx) => {
    const now = services.clock.now();
    // A repeated id returns the existing charge and never makes a second one.
    if (!(await findPayin(tx, request.id))) {
      const open = await findReusableBoleto(tx, request, now);
      if (open) {
        await requireOpenLink(tx, request);
        return open;
      }
      await requireFunction(tx, chargeFunctionOf[request.method.kind]);
    }
    const isNew = await insertPayin(tx, await buildCharge(tx, services, request, now));
    const row = await lockPayin(tx, request.id);
    // The payin is locked before its link, in the order of the network's reports.
    if (isNew || !row) await requireOpenLink(tx, request);
    // The id belongs to a payin that is not a charge.
    if (!row || row.charge_id === null) throw new AppError("idempotency_key_reused");
    requireSame(row, request);
    return row;
  });
  if (payin.id !== request.id) return chargeOf(payin);
  const isUnanswered = payin.charged_at === null && payin.status === "pending";
  const isOther = isUnanswered && hasOtherTerms(payin, request);
  if (isOther) await cancelAbandonedCharge(services, companyId, payin);
  else if (isUnanswered) {
    const card = request.method.kind === "credit_card" ? request.method.card : null;
    await sendCharge(services, companyId, payin, card);
  }
  const after = await services.db.readCompany(companyId, (tx) => findPayin(tx, request.id));
  if (!after) throw new Error(`the charge ${request.id} is gone`);
  if (isOther && after.status === "unauthorized") throw new AppError("checkout_card_changed");
  return chargeOf(after);
}

const boletosLock = declareLock("boletos-of-link");

/**
 * Returns the open boleto of this payer and link, because a second one could be paid too. Two requests at once wait for
 * each other, so that the later one finds the boleto of the earlier one.
 */
async function findReusableBoleto(
  tx: Tx,
  { method, paymentLinkId, payer }: ChargeRequest,
  now: Date,
): Promise<PayinRow | undefined> {
  if (method.kind !== "boleto" || !paymentLinkId) return undefined;
  await lockObject(tx, boletosLock, paymentLinkId);
  return findOpenBoleto(tx, paymentLinkId, payer, saoPauloDate(now));
}

/** Returns the charge for the payer's screen; undefined when it does not exist. */
export async function readCharge(tx: Tx, id: string): Promise<Charge | undefined> {
  const payin = await findPayin(tx, id);
  return payin?.charge_id ? chargeOf(payin) : undefined;
}

function chargeOf(payin: PayinRow): Charge {
  const { details, payment_type: type, charged_at: chargedAt } = payin;
  const isReady = chargedAt !== null;
  const { br_code: brCode, barcode, digitable_line: digitableLine, due_date: dueDate } = details;
  return {
    id: payin.id,
    status: payin.status,
    amount: payin.amount,
    isReady,
    pix: isReady && brCode && payin.expires_at ? { brCode, expiresAt: payin.expires_at } : null,
    boleto: isReady && barcode && digitableLine && dueDate ? { digitableLine, barcode, dueDate } : null,
    card:
      type === "credit_card"
        ? {
            installments: details.installments ?? 1,
            authorizationCode: details.authorization_code ?? null,
            rejectionReason: details.rejection_reason ?? null,
          }
        : null,
  };
}

function orderOf(
  companyId: string,
  receiver: ChargeOrder["receiver"],
  payin: PayinRow,
  card: Card | null,
): ChargeOrder {
  const { id, amount, details, payer_name: name, payer_tax_id: taxId } = payin;
  const order = { id, companyId, amount, receiver, payer: { name: name ?? "", taxId: taxId ?? "" } };
  if (card) return { ...order, method: "credit_card", installments: details.installments ?? 1, card };
  if (payin.txid && payin.expires_at) {
    return { ...order, method: "pix", txid: payin.txid, expiresAt: payin.expires_at.toISOString() };
  }
  if (!details.barcode || !details.due_date) throw new Error(`charge ${id} has no means of payment`);
  return {
    ...order,
    method: "boleto",
    barcode: details.barcode,
    dueDate: details.due_date,
    late: details.late ?? null,
  };
}

async function sendCharge(
  services: ChargingNeeds,
  companyId: string,
  payin: PayinRow,
  card: Card | null,
): Promise<void> {
  const { name, taxId } = await services.db.readCompany(companyId, readCompany);
  const charging = services.charges.charge(orderOf(companyId, { name, taxId }, payin, card));
  const answer = await awaitAnswer(services, companyId, payin.id, charging);
  if (answer) await recordAnswer(services, companyId, payin.id, answer);
}

/** Returns the network's answer; undefined when it is unknown, and the schedule asks again. */
const awaitAnswer = (
  services: ChargingNeeds,
  companyId: string,
  charge: string,
  charging: Promise<ChargeState>,
): Promise<ChargeState | undefined> =>
  charging.catch((error: unknown) => {
    services.log.warn(
      { err: error, company: companyId, charge },
      "the network did not answer about a charge",
    );
    return undefined;
  });

async function recordAnswer(
  services: ChargingNeeds,
  companyId: string,
  chargeId: string,
  answer: ChargeState,
): Promise<void> {
  if (answer !== "waiting") {
    const isOfIt = "chargeId" in answer && answer.chargeId === chargeId && answer.companyId === companyId;
    if (!isOfIt)
      throw new Error(`event ${answer.id}, the answer about charge ${chargeId}, names another charge`);
    return applyAnswer(services, answer);
  }
  await services.db.withCompany(companyId, async (tx) => {
    const payin = await lockPayin(tx, chargeId);
    if (payin?.charged_at === null)
      await updatePayinFacts(tx, chargeId, services.clock.now(), { charged_at: services.clock.now() });
  });
}

/**
 * Cancels charges that must not be paid any more, because their link was deleted or paid another way; runs as the job
 * `cancel-charges`. Call it outside any transaction. If a payer pays at the same moment, the network decides; an
 * authorised sale stays.
 */
export async function cancelCharges(
  services: ChargingNeeds,
  { companyId, paymentLinkId }: { companyId: string; paymentLinkId: string },
): Promise<void> {
  const open = await services.db.readCompany(companyId, (tx) => listPendingCharges(tx, paymentLinkId));
  await forEachInTurn(open, async (id) =>
    recordAnswer(services, companyId, id, await services.charges.cancel({ id, companyId })),
  );
}

const chargesAtOnce = 50;

/**
 * Resumes, on schedule, charges whose answer was lost and that no caller repeated, and cancels those whose job gave up
 * (decision 0004). Registers Pix and boletos; cancels a card sale, whose card data is gone, unless the acquirer made
 * it.
 */
export async function resumeDueCharges(
  services: ChargingNeeds,
  { companyId }: { companyId: string },
): Promise<void> {
  const due = await services.db.withCompany(companyId, (tx) =>
    claimDueCharges(tx, services.clock.now(), chargesAtOnce),
  );
  await forEachInTurn(due, (payin) => resumeCharge(services, companyId, payin));
}

async function resumeCharge(services: ChargingNeeds, companyId: string, payin: DueCharge): Promise<void> {
  const isOver = payin.called_off || payin.payment_type === "credit_card";
  const taken = isOver
    ? cancelAbandonedCharge(services, companyId, payin)
    : sendCharge(services, companyId, payin, null);
  await taken.catch((error: unknown) => {
    services.log.error(
      { err: error, company: companyId, charge: payin.id },
      "cannot read the state of a charge",
    );
    throw error;
  });
}

/** Cancels a charge; afterwards it was paid or never will be. The payer of an unanswered card sale sees a timeout. */
async function cancelAbandonedCharge(
  services: ChargingNeeds,
  companyId: string,
  { id, payment_type }: PayinRow,
): Promise<void> {
  const answer = await awaitAnswer(services, companyId, id, services.charges.cancel({ id, companyId }));
  if (!answer) return;
  const isLostSale =
    payment_type === "credit_card" && answer !== "waiting" && answer.kind === "charge_cancelled";
  await recordAnswer(
    services,
    companyId,
    id,
    isLostSale ? { ...answer, kind: "charge_refused", reason: "processor_transaction_timeout" } : answer,
  );
}
