/**
 * Hands due payments to the network, in blocks. The ids are stored before the call and the call is outside any
 * transaction; when its result is unknown, the network is asked before anything is sent again.
 */
import { hourMs } from "@malote/domain/durations";
import { issueFormText } from "@malote/domain/issues";
import { ownInstitution } from "@malote/domain/own-institution";
import { locationOf } from "@malote/domain/pix-charge";
import { pixDescriptionText } from "@malote/domain/pix-description";
import { Counter } from "prom-client";
import { readCompany } from "../company/index.ts";
import {
  type AttemptResult,
  type ClaimedPayment,
  claimDue,
  claimOrphans,
  listKnownOrders,
  markRefusalsApplied,
  type OrphanedPayment,
  type Refusal,
  recordResubmission,
  saveAnswers,
} from "../payouts/index.ts";
import { emitEach } from "../platform/events/emit.ts";
import { reachFailPoint } from "../platform/fail-points.ts";
import { metrics } from "../platform/http/metrics.ts";
import type { Services } from "../platform/services.ts";
import { allConnections } from "../ports/connections.ts";
import { type OrderAnswer, type PaymentOrder, RailFault, type Rails, referencesIn } from "../ports/rails.ts";
import { handleEvents } from "./handle-events.ts";

const paymentsSent = new Counter({
  name: "malote_payments_sent_total",
  help: "Payments handed to the network",
  labelNames: ["method"],
  registers: [metrics],
});

/** Payments handed over in one call. */
const blockSize = 500;
/** TRF-030, checked once more right before the payment leaves. */
const payeeBlocked = issueFormText({ code: "tax_id_blocked" });
const noReason = "Pagamento recusado pelo banco.";

type Company = Awaited<ReturnType<typeof readCompany>>;

/** Returns E, our ISPB and the minute in UTC: the start of every id made in this minute. */
const idStart = (now: Date) =>
  `E${ownInstitution().ispb}${now.toISOString().slice(0, 16).replace(/\D/g, "")}`;

function orderOf(company: Company, companyId: string, payment: ClaimedPayment): PaymentOrder {
  return {
    endToEndId: payment.end_to_end_id,
    companyId,
    method: payment.payment_method,
    value: payment.value,
    payer: {
      name: company.name,
      taxId: company.taxId,
      agency: company.agency,
      account: company.account,
      accountDigit: company.accountDigit,
    },
    receiver: {
      name: payment.name,
      taxId: payment.tax_id,
      bankIspb: payment.bank_ispb,
      agency: payment.agency,
      agencyDigit: payment.agency_digit,
      account: payment.account,
      accountDigit: payment.account_digit,
      accountType: payment.account_type,
      pixKeyType: payment.pix_key_type,
      pixKey: payment.pix_key,
      pixKeyTaxId: payment.pix_key_validation,
    },
    boleto: payment.barcode === null ? null : { barcode: payment.barcode, dueDate: payment.due_date },
    code:
      payment.emv === null
        ? null
        : { location: locationOf(payment.emv), txid: payment.emv_data?.txid ?? null },
    description: payment.pix_description ? (pixDescriptionText(payment.pix_description) ?? null) : null,
  };
}

/** Returns the network's answer to each order; an order missing from the answer is in doubt. */
async function submit(rails: Rails, orders: readonly PaymentOrder[]): Promise<Map<string, OrderAnswer>> {
  const answers = await rails.send(orders);
  return new Map(
    orders.map(({ endToEndId }) => [
      endToEndId,
      answers.get(endToEndId) ?? { result: "doubtful", cause: "no answer to this order" },
    ]),
  );
}

/** Upper bound for a network's retry-after. */
const longestPauseMs = hourMs;

/** Returns the result to store for the orders of a call that got no answer. */
function withoutAnswer({ timing }: Rails, error: Error, now: Date): AttemptResult {
  if (!(error instanceof RailFault) || error.left === "maybe")
    return { result: "doubtful", cause: error.message };
  const pauseEnd = error.retryAt?.getTime() ?? now.getTime() + timing.answeredWithinMs;
  const retryAt = new Date(Math.min(pauseEnd, now.getTime() + longestPauseMs));
  return { result: "not_sent", cause: error.message, retryAt };
}

/**
 * Hands payments to the network; a payment whose payee was blocked after it was closed fails instead, like one that the
 * network refuses.
 */
async function sendToNetwork(
  services: Services,
  rails: Rails,
  companyId: string,
  company: Company,
  payments: readonly ClaimedPayment[],
) {
  const { db, clock } = services;
  const save = (results: ReadonlyMap<string, AttemptResult>) =>
    db.withCompany(companyId, (tx) => saveAnswers(tx, results, clock.now(), rails.timing));
  const blocked = payments.filter((payment) => payment.is_payee_blocked);
  if (blocked.length > 0) {
    const refusal = { result: "refused", reason: payeeBlocked } as const;
    const refused = await save(new Map(blocked.map(({ end_to_end_id }) => [end_to_end_id, refusal])));
    await applyRefusals(services, rails, companyId, refused);
  }
  const orders = payments
    .filter((payment) => !payment.is_payee_blocked)
    .map((payment) => orderOf(company, companyId, payment));
  if (orders.length === 0) return;
  reachFailPoint("before-rail-call");
  const answers = await submit(rails, orders).catch(async (error: Error) => {
    const result = withoutAnswer(rails, error, clock.now());
    await save(new Map(orders.map(({ endToEndId }) => [endToEndId, result])));
    throw error;
  });
  reachFailPoint("after-rail-call");
  const refusals = await save(answers);
  for (const { method, endToEndId } of orders)
    if (answers.get(endToEndId)?.result === "accepted") paymentsSent.inc({ method });
  await applyRefusals(services, rails, companyId, refusals);
}

/** Applies refusals like any other event: once, or stored as a dead letter. */
async function applyRefusals(
  services: Services,
  { id }: Rails,
  companyId: string,
  refusals: readonly Refusal[],
): Promise<void> {
  if (refusals.length === 0) return;
  const now = services.clock.now();
  const at = now.toISOString();
  const feedOf = ({ reason }: Refusal) => (reason === payeeBlocked ? "own" : "answer");
  for (const [feed, some] of Map.groupBy(refusals, feedOf))
    await handleEvents(
      services,
      some.map(({ key, reason }) => ({
        kind: "failed",
        id: `${key}:refused`,
        endToEndId: key,
        companyId,
        at,
        reason: reason || noReason,
      })),
      { connection: id, feed },
    );
  const keys = refusals.map(({ key }) => key);
  await services.db.withCompany(companyId, (tx) => markRefusalsApplied(tx, keys, now));
}

/**
 * Takes over payments whose worker died. Marks a refused one as refused and sends one that certainly never left; asks
 * the network about the others. A payment unknown to the network is sent again under the same key once its absence is
 * conclusive, unless its company is blocked or its method suspended.
 */
async function resumeOrphans(
  services: Services,
  rails: Rails,
  companyId: string,
  company: Company,
  orphans: readonly OrphanedPayment[],
): Promise<void> {
  const { db, clock, log } = services;
  const { absenceProvesAfterMs: proves } = rails.timing;
  await applyRefusals(
    services,
    rails,
    companyId,
    orphans
      .filter(({ result }) => result === "refused")
      .map(({ end_to_end_id, reason }) => ({ key: end_to_end_id, reason: reason ?? "" })),
  );
  const unsent = orphans.filter(({ result }) => result === "not_sent");
  const inDoubt = orphans.filter(({ result }) => result !== "refused" && result !== "not_sent");
  if (inDoubt.length > 0) {
    const keys = inDoubt.map((payment) => payment.end_to_end_id);
    const known = await rails.find(await db.readCompany(companyId, (tx) => listKnownOrders(tx, keys)));
    const now = clock.now();
    const unknown = inDoubt.filter((payment) => !known.has(payment.end_to_end_id));
    const absent = unknown.filter(
      ({ submitted_at }) => proves !== null && now.getTime() - (submitted_at?.getTime() ?? 0) >= proves,
    );
    const resent = absent.filter(({ may_leave }) => may_leave);
    await db.withCompany(companyId, async (tx) => {
      const found = [...known].map(([key, report]): [string, OrderAnswer] => [
        key,
        { result: "accepted", references: referencesIn(report) },
      ]);
      await saveAnswers(tx, new Map(found), now, rails.timing);
      const keys = resent.map((payment) => payment.end_to_end_id);
      await recordResubmission(tx, keys, now, rails.id);
    });
    if (absent.length < unknown.length)
      log.error(
        { company: companyId, connection: rails.id, count: unknown.length - absent.length },
        "the network cannot say whether payments reached it",
      );
    unsent.push(...resent);
  }
  if (unsent.length > 0) await sendToNetwork(services, rails, companyId, company, unsent);
}

export interface SendingTurn {
  companyId: string;
  /** Number of blocks per connection after which the turn ends, although more may be due; unbounded when left out. */
  blocksMax?: number;
}

/**
 * Sends the due payments of the company that are not under way; runs as the job `send-payments` and on schedule. Each
 * connection runs separately, so that an unavailable network delays no other.
 */
export async function sendDuePayments(services: Services, turn: SendingTurn): Promise<void> {
  const sent = await Promise.allSettled(
    allConnections(services).map((rails) => sendOver(services, rails, turn)),
  );
  const failures: unknown[] = sent.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join("; "));
  if (failures.length === 1) throw failures[0];
}

async function sendOver(
  services: Services,
  rails: Rails,
  { companyId, blocksMax = Number.POSITIVE_INFINITY }: SendingTurn,
): Promise<void> {
  const over = { connection: rails.id, main: services.rails.id };
  for (let block = 0; block < blocksMax; block++) {
    const now = services.clock.now();
    const { company, orphans, due } = await services.db.withCompany(companyId, async (tx) => {
      const silentSince = new Date(now.getTime() - rails.timing.answeredWithinMs);
      const orphans = await claimOrphans(tx, now, silentSince, blockSize, over);
      const due = orphans.length > 0 ? [] : await claimDue(tx, now, idStart(now), blockSize, over);
      await emitEach(
        tx,
        { now },
        "payment.sent",
        due
          .filter((payment) => !payment.is_payee_blocked)
          .map(({ id, batch_id: batchId, value: amount, attempt }) => ({
            objectId: id,
            payload: { batchId, amount, attempt },
          })),
      );
      return { company: await readCompany(tx), orphans, due };
    });
    if (orphans.length > 0) await resumeOrphans(services, rails, companyId, company, orphans);
    else if (due.length > 0) await sendToNetwork(services, rails, companyId, company, due);
    else return;
  }
}
