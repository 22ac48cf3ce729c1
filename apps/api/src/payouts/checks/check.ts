/** The checks before paying: read by whoever looks, ticked by name, and asked for wherever a batch goes on. */
import { createHash } from "node:crypto";
import type { BatchChecks, Check } from "@malote/contracts/checks";
import type { BatchStatus } from "@malote/domain/batch";
import { type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import {
  type CheckKind,
  type Confirmation,
  checkKinds,
  checkSeverity,
  checkTitle,
  decideConfirm,
  findingText,
  missingTicks,
} from "@malote/domain/checks";
import type { ApproverRefusal } from "@malote/domain/controls";
import { type LookupFindingCode, lookupFindingText } from "@malote/domain/lookup-findings";
import { type LimitShortage, shortageNote } from "@malote/domain/payment-limits";
import { readCompany } from "../../company/index.ts";
import { inWords } from "../../controls/index.ts";
import { availableBalance } from "../../ledger/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { lookupFindings } from "../lookups/findings.ts";
import { dayFacts } from "../transfers/facts.ts";
import * as store from "./store.ts";

/** From this many payments on, what was found is kept, so that closing does not look through all of them again. */
const largeBatch = 2_000;
const largestShown = 5;

/** What is asked of a batch that is looked at. */
export interface CheckedBatch {
  id: string;
  status: BatchStatus;
  revision: number;
  payments_count: number;
  value: number;
}
type Batch = CheckedBatch;

/** Who prepared a batch and who asks now: of credentials the people behind them. */
export interface People {
  editorIds: readonly string[];
  userId: string;
  /** Why the one who asks does not approve this batch, where it waits for that. */
  approverRefusal: AppError | undefined;
}

interface Asking {
  actor: Actor;
  now: Date;
  requestId: string;
}

/** Only what is still to be paid is looked at. */
const isChecked = ({ status }: Batch) => status === "DRAFT" || status === "WAITING_APPROVAL";

async function look(tx: Tx, batch: Batch, now: Date): Promise<store.Found[]> {
  return lookAt(tx, store.paymentsOf(tx, batch.id), now);
}

async function lookAt(tx: Tx, looked: store.Looked, now: Date): Promise<store.Found[]> {
  const { settings } = await readCompany(tx);
  return store.findAll(tx, looked, dayFacts(settings, now), now);
}

/** What the directory and the register answered that somebody has to look at. */
const lookedAt = {
  key_holder_differs: "holder_differs",
  billet_paid: "billet_register",
  billet_unpayable: "billet_register",
  billet_not_registered: "billet_register",
} as const satisfies Partial<Record<LookupFindingCode, CheckKind>>;

/** Asked anew each time: answers arrive while nothing of the batch changes. */
async function lookedUp(tx: Tx, looked: store.Looked, now: Date): Promise<store.Found[]> {
  const codes = Object.keys(lookedAt) as (keyof typeof lookedAt)[];
  const findings = await lookupFindings(tx, looked.rows, now, codes);
  if (findings.length === 0) return [];
  const values = await store.valuesOf(
    tx,
    findings.map(({ paymentId }) => paymentId),
  );
  return (["holder_differs", "billet_register"] as const).flatMap((kind) => {
    const ofKind = findings.filter(({ code }) => lookedAt[code as keyof typeof lookedAt] === kind);
    if (ofKind.length === 0) return [];
    const lines = ofKind.map((one) => JSON.stringify([one, values.get(one.paymentId) ?? null])).sort();
    return [
      {
        kind,
        count: ofKind.length,
        value: ofKind.reduce((sum, { paymentId }) => sum + (values.get(paymentId) ?? 0), 0),
        fingerprint: `${ofKind.length}-${createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16)}`,
        first: ofKind
          .slice(0, store.shownMax)
          .map((one) => ({ id: one.paymentId, other: null, data: { text: lookupFindingText(one) } })),
      },
    ];
  });
}

/** What is found now; of a large batch what was found in this content, where nothing can have been added to it since. */
async function findings(tx: Tx, batch: Batch, now: Date, mayStore: boolean): Promise<store.Found[]> {
  if (!isChecked(batch) || batch.payments_count === 0) return [];
  const found = [
    ...(await ofPayments(tx, batch, now, mayStore)),
    ...(await lookedUp(tx, store.paymentsOf(tx, batch.id), now)),
  ];
  return found.sort((a, b) => checkKinds.indexOf(a.kind) - checkKinds.indexOf(b.kind));
}

async function ofPayments(tx: Tx, batch: Batch, now: Date, mayStore: boolean): Promise<store.Found[]> {
  if (batch.payments_count < largeBatch) return look(tx, batch, now);
  // Looked through by one at a time: the next one finds what this one kept.
  if (mayStore) await store.lockFindings(tx, batch.id);
  // Before anything is looked at: what is committed while it is makes these findings old.
  const changes = await store.changesSoFar(tx);
  const stored = await store.storedFindings(tx, batch, { changes, today: saoPauloDate(now) });
  if (stored) return stored;
  const found = await look(tx, batch, now);
  if (mayStore) await store.storeFindings(tx, batch, { found, changes, now });
  return found;
}

async function present(
  tx: Tx,
  batch: Batch,
  found: readonly store.Found[],
  shortage: LimitShortage | undefined,
): Promise<BatchChecks> {
  const [payments, confirmed, byMethod, balance, largest] = await Promise.all([
    paymentsIn(tx, found),
    store.confirmationsOf(tx, batch.id),
    store.totalsByMethod(tx, batch.id),
    availableBalance(tx),
    store.largestPayments(tx, batch.id, largestShown),
  ]);
  const checks = found.map((one) => checkOf(one, { payments, confirmed, batchId: batch.id }));
  const missingBalance = isChecked(batch) ? Math.max(0, batch.value - balance) : 0;
  const alerts = found.filter(({ kind }) => checkSeverity(kind) !== "note");
  return {
    revision: batch.revision,
    data: [
      ...checks,
      ...(shortage ? [noteOf("limit_short", shortage.value, { text: shortageNote(shortage) })] : []),
      ...(missingBalance > 0 ? [noteOf("balance_short", missingBalance, { missing: missingBalance })] : []),
    ],
    missing: missingTicks(found, confirmed).map(({ kind, fingerprint, count }) => ({
      kind,
      fingerprint,
      count,
    })),
    summary: {
      count: batch.payments_count,
      value: batch.value,
      by_method: byMethod,
      alerts: alerts.reduce((sum, { count }) => sum + count, 0),
      new_receivers: found.find(({ kind }) => kind === "new_receiver")?.count ?? 0,
      largest,
    },
  };
}

const paymentsIn = (tx: Tx, found: readonly store.Found[]) =>
  store.shownPayments(tx, [
    ...new Set(found.flatMap(({ first }) => first.flatMap(({ id, other }) => (other ? [id, other] : [id])))),
  ]);

interface Beside {
  payments: Map<string, store.ShownPayment>;
  confirmed: readonly store.ConfirmationRow[];
  batchId: string;
}

const checkOf = (one: store.Found, { payments, confirmed, batchId }: Beside): Check => ({
  kind: one.kind,
  severity: checkSeverity(one.kind),
  title: checkTitle(one.kind, one.count),
  count: one.count,
  value: one.value,
  fingerprint: one.fingerprint,
  confirmed: tickOf(one, confirmed),
  findings: one.first.flatMap((finding) => {
    const shown = findingOf(one.kind, finding, payments, batchId);
    return shown ? [shown] : [];
  }),
});

function tickOf(found: Confirmation, confirmed: readonly store.ConfirmationRow[]) {
  const tick = confirmed.find(
    ({ kind, fingerprint }) => kind === found.kind && fingerprint === found.fingerprint,
  );
  return tick ? { by: tick.by, at: new Date(tick.at).toISOString() } : null;
}

function findingOf(
  kind: CheckKind,
  { id, other: otherId, data }: store.Found["first"][number],
  payments: Map<string, store.ShownPayment>,
  batchId: string,
): BatchChecks["data"][number]["findings"][number] | undefined {
  const payment = payments.get(id);
  if (!payment) return undefined;
  const other = otherId ? payments.get(otherId) : undefined;
  const { value, day } = other ?? {};
  return {
    payment: {
      id,
      name: payment.name,
      value: payment.value,
      payment_date: payment.payment_date,
    },
    other: other
      ? {
          id: other.id,
          batch_id: other.batch_id,
          batch_name: other.batch_name,
          batch_status: other.batch_status,
          status: other.status,
          value: other.value ?? 0,
          date: other.day,
          person: other.person,
        }
      : null,
    text: findingText({
      kind,
      value: payment.value,
      other: other
        ? { ...other, isHere: other.batch_id === batchId, value: value ?? 0, day: day as CalendarDate }
        : null,
      data,
    }),
  };
}

/** Of the batch as a whole, and of no payment in particular. */
function noteOf(
  kind: CheckKind,
  value: number,
  data: Readonly<Record<string, string | number>>,
): BatchChecks["data"][number] {
  return {
    kind,
    severity: checkSeverity(kind),
    title: `${checkTitle(kind, 1)}. ${findingText({ kind, value: null, other: null, data })}`,
    count: 1,
    value,
    fingerprint: String(value),
    confirmed: null,
    findings: [],
  };
}

/** A large batch's findings are kept by whoever reads them first. */
export const isKept = (batch: Batch) => isChecked(batch) && batch.payments_count >= largeBatch;

/** `mayKeep` says that the transaction may write; `shortage` is the limit the batch would pass, where it still may leave. */
export async function readChecks(
  tx: Tx,
  batch: Batch,
  { now, mayKeep, shortage }: { now: Date; mayKeep: boolean; shortage: LimitShortage | undefined },
): Promise<BatchChecks> {
  return present(tx, batch, await findings(tx, batch, now, mayKeep), shortage);
}

async function tick(
  tx: Tx,
  call: Asking,
  batch: Batch,
  people: People,
  found: readonly store.Found[],
  confirmations: readonly Confirmation[],
): Promise<void> {
  const { actor, now } = call;
  const { approverRefusal, ...prepared } = people;
  const decision = decideConfirm({
    status: batch.status,
    profile: actor.profile,
    isPerson: actor.kind === "user",
    ...prepared,
    approverRefusal: approverRefusal?.code as ApproverRefusal | undefined,
    found,
    confirmations,
  });
  if (decision.kind === "refused")
    throw new AppError(decision.code, decision.code === approverRefusal?.code ? approverRefusal.data : null);
  await store.insertConfirmations(tx, batch.id, confirmations, actor, now);
  await audit(tx, call, "checks_confirmed", batch.id, { revision: batch.revision, confirmations });
}

/** Expects the batch locked. */
export async function confirm(
  tx: Tx,
  call: Asking,
  batch: Batch,
  people: People,
  {
    confirmations,
    shortage,
  }: { confirmations: readonly Confirmation[]; shortage: LimitShortage | undefined },
): Promise<BatchChecks> {
  const found = await findings(tx, batch, call.now, true);
  await tick(tx, call, batch, people, found, confirmations);
  return present(tx, batch, found, shortage);
}

/**
 * Asked by the transaction that sends a batch on, with the batch locked: everything that has to be ticked was, in this
 * content. Ticks may come with the call, in the caller's name.
 */
export async function requireConfirmed(
  tx: Tx,
  call: Asking,
  batch: Batch,
  people: () => Promise<People>,
  confirmations: readonly Confirmation[] = [],
): Promise<void> {
  const found = await findings(tx, batch, call.now, true);
  if (confirmations.length > 0) await tick(tx, call, batch, await people(), found, confirmations);
  if (!found.some(({ kind }) => checkSeverity(kind) === "tick")) return;
  const missing = missingTicks(found, await store.confirmationsOf(tx, batch.id));
  if (missing.length === 0) return;
  throw new AppError("checks_not_confirmed", {
    titles: missing.map(({ kind, count }) => checkTitle(kind, count)),
    checks: missing.map(({ kind, fingerprint, count, value }) => ({ kind, fingerprint, count, value })),
  });
}

/** What the e-mail says that asks for an approval. */
export async function checkLines(
  tx: Tx,
  batch: Batch,
  { now, shortage }: { now: Date; shortage: LimitShortage | undefined },
): Promise<string[]> {
  const [found, confirmed] = await Promise.all([
    findings(tx, batch, now, true),
    store.confirmationsOf(tx, batch.id),
  ]);
  const lines = found.map((one) => {
    const by = tickOf(one, confirmed)?.by;
    return `${checkTitle(one.kind, one.count)}${by ? ` (conferido por ${by})` : ""}`;
  });
  return shortage ? [...lines, checkTitle("limit_short", 1)] : lines;
}

/** What has to be ticked of failed payments that are sent again, as they would be. */
async function findingsAgain(tx: Tx, again: readonly store.SentAgain[], now: Date): Promise<store.Found[]> {
  if (again.length === 0) return [];
  const looked = store.paymentsAgain(tx, again);
  const found = [...(await lookAt(tx, looked, now)), ...(await lookedUp(tx, looked, now))];
  return found
    .filter(({ kind }) => checkSeverity(kind) === "tick")
    .sort((a, b) => checkKinds.indexOf(a.kind) - checkKinds.indexOf(b.kind));
}

/**
 * Asked by whatever sends failed payments again, with their batch locked: all that has to be ticked of them was, by somebody who
 * is named. Answers the ticks in words, for whoever approves. `editorIds`: a credential ticks only what it or the person behind
 * it prepared.
 */
export async function requireConfirmedAgain(
  tx: Tx,
  call: Asking,
  batch: { id: string },
  again: readonly store.SentAgain[],
  { confirmations, mayTick }: { confirmations: readonly Confirmation[]; mayTick: () => Promise<boolean> },
): Promise<{ label: string; value: string }[]> {
  const found = await findingsAgain(tx, again, call.now);
  if (confirmations.length > 0) {
    if (!(await mayTick())) throw new AppError("confirmation_of_another");
    const isFound = (one: Confirmation) =>
      found.some(({ kind, fingerprint }) => kind === one.kind && fingerprint === one.fingerprint);
    if (!confirmations.every(isFound)) throw new AppError("checks_changed");
    await store.insertConfirmations(tx, batch.id, confirmations, call.actor, call.now);
    await audit(tx, call, "checks_confirmed", batch.id, {
      payments: again.map(({ id }) => id),
      confirmations,
    });
  }
  if (found.length === 0) return [];
  const [payments, confirmed] = await Promise.all([
    paymentsIn(tx, found),
    store.confirmationsOf(tx, batch.id),
  ]);
  const checks = found.map((one) => checkOf(one, { payments, confirmed, batchId: batch.id }));
  const missing = checks.filter((check) => check.confirmed === null);
  if (missing.length > 0)
    throw new AppError("checks_not_confirmed", {
      titles: missing.map(({ title }) => title),
      checks: missing,
    });
  return checks.map(({ title, findings, confirmed: by }) => ({
    label: title,
    value: [
      ...findings.slice(0, 3).map(({ text }) => text),
      `Conferido por ${by?.by} em ${inWords(new Date(by?.at ?? call.now))}`,
    ].join(" · "),
  }));
}

/** By payment, what would have to be ticked if it were sent again as it is, in words. */
export async function notesAgain(
  tx: Tx,
  batchId: string,
  again: readonly store.SentAgain[],
  now: Date,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await findingsAgain(tx, again, now);
  const payments = await paymentsIn(tx, found);
  const notes = new Map<string, string[]>();
  for (const one of found)
    for (const { payment, text } of checkOf(one, { payments, confirmed: [], batchId }).findings)
      notes.set(payment.id, [...(notes.get(payment.id) ?? []), text]);
  return notes;
}
