/** Checks before paying: read on screens, confirmed by name, and required wherever a batch proceeds. */
import type { BatchChecks, Check, CheckFindings } from "@malote/contracts/checks";
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
  findUnconfirmed,
} from "@malote/domain/checks";
import type { ApproverRefusal } from "@malote/domain/controls";
import { type LimitShortage, shortageNote } from "@malote/domain/payment-limits";
import { readAvailableBalance } from "../../ledger/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { lockFindings } from "../locks.ts";
import { readDayFacts } from "../rules/day-facts.ts";
import { type ConfirmationRow, insertConfirmations, listConfirmations } from "./confirmation-store.ts";
import * as kept from "./findings-store.ts";
import { findAll } from "./found-store.ts";
import * as lookups from "./lookup-checks.ts";
import { checkSheetTotal, titleOf } from "./sheet-total.ts";
import { listLargestPayments, readShownPayments, type ShownPayment, sumByMethod } from "./shown-store.ts";
import * as store from "./store.ts";

/** Number of payments from which findings are stored, so that closing does not evaluate all payments again. */
const largeBatch = 2_000;
const largestShown = 5;

/** Columns of a batch that its checks need. */
export interface CheckedBatch {
  id: string;
  status: BatchStatus;
  revision: number;
  payments_count: number;
  value: number;
}
type Batch = CheckedBatch;

/** Preparers of a batch and the caller; a credential stands for the people behind it. */
export interface People {
  editorIds: readonly string[];
  userId: string;
  /** Reason why the caller may not approve this batch, when it waits for approval. */
  approverRefusal: AppError | undefined;
}

export interface FindingsReader {
  actor: Actor;
  now: Date;
  requestId: string;
}

/** Returns true for a batch that is still to be paid; only such batches are checked. */
const isChecked = ({ status }: Batch) => status === "DRAFT" || status === "WAITING_APPROVAL";

async function findInBatch(tx: Tx, batch: Batch, now: Date, range?: store.PageRange): Promise<store.Found[]> {
  return findInScope(tx, store.paymentsOf(tx, batch.id), now, range);
}

export async function findInScope(
  tx: Tx,
  scope: store.PaymentScope,
  now: Date,
  range?: store.PageRange,
): Promise<store.Found[]> {
  return findAll(tx, scope, await readDayFacts(tx, now), now, range);
}

/**
 * Returns the current findings; for a large batch the stored ones of this content, when no change can have added to
 * them.
 */
async function findAllFindings(
  tx: Tx,
  batch: Batch,
  now: Date,
  mayStore: boolean,
  kinds: readonly lookups.LookupCheckKind[] = lookups.lookupCheckKinds,
): Promise<store.Found[]> {
  if (!isChecked(batch) || batch.payments_count === 0) return [];
  const found = [
    ...(await findOfPayments(tx, batch, now, mayStore)),
    ...(await lookups.findLookupIssues(tx, store.paymentsOf(tx, batch.id), now, { kinds })),
    ...(await checkSheetTotal(tx, batch)),
  ];
  return found.sort((a, b) => checkKinds.indexOf(a.kind) - checkKinds.indexOf(b.kind));
}

async function findOfPayments(tx: Tx, batch: Batch, now: Date, mayStore: boolean): Promise<store.Found[]> {
  if (batch.payments_count < largeBatch) return findInBatch(tx, batch, now);
  // One transaction at a time evaluates a batch; the next one reads the stored findings.
  if (mayStore) await lockFindings(tx, batch.id);
  // This precedes the evaluation: a change that commits during it makes these findings stale.
  const changes = await kept.readChangesFingerprint(tx);
  const stored = await kept.findStoredFindings(tx, batch, { changes, today: saoPauloDate(now) });
  if (stored) return stored;
  const found = await findInBatch(tx, batch, now);
  if (mayStore) await kept.storeFindings(tx, batch, { found, changes, now });
  return found;
}

/**
 * Returns a page of the findings of one kind. The first reader who wants more than the first page of a large batch
 * stores all findings, so that every other page comes from one row.
 */
async function readPart(
  tx: Tx,
  batch: Batch,
  now: Date,
  kind: CheckKind,
  range: store.PageRange,
): Promise<store.Found | undefined> {
  if (!isChecked(batch) || batch.payments_count === 0) return undefined;
  if (kind === "sheet_total") return (await checkSheetTotal(tx, batch))[0];
  if (lookups.isLookupKind(kind)) {
    const [found] = await lookups.findLookupIssues(tx, store.paymentsOf(tx, batch.id), now, {
      kinds: [kind],
      range,
    });
    return found;
  }
  if (batch.payments_count < largeBatch)
    return (await findInBatch(tx, batch, now, range)).find((one) => one.kind === kind);
  await lockFindings(tx, batch.id);
  const changes = await kept.readChangesFingerprint(tx);
  const stored = await kept.findStoredPart(tx, batch, { changes, today: saoPauloDate(now) }, kind, range);
  if (stored) return stored.found ?? undefined;
  const all = await findInBatch(tx, batch, now, store.everyPage);
  const found = all.map((one) => ({ ...one, first: one.first.slice(0, store.shownMax), all: one.first }));
  await kept.storeFindings(tx, batch, { found, changes, now });
  const ofKind = all.find((one) => one.kind === kind);
  return ofKind && { ...ofKind, first: ofKind.first.slice(range.from, range.from + range.max) };
}

const pageMax = 100;

/** Returns one page of the findings of a kind. Throws `checks_changed` when the cursor belongs to older findings. */
export async function readFindings(
  tx: Tx,
  batch: Batch,
  { kind, cursor, now }: { kind: CheckKind; cursor: string | undefined; now: Date },
): Promise<CheckFindings> {
  const place = cursor === undefined ? undefined : placeOf(cursor);
  const found = await readPart(tx, batch, now, kind, { from: place?.from ?? 0, max: pageMax });
  if (place && place.fingerprint !== found?.fingerprint) throw new AppError("checks_changed");
  if (!found) return { kind, count: 0, fingerprint: null, data: [], meta: { next: null } };
  const payments = await paymentsIn(tx, [found]);
  const next = cursorAfter(found, (place?.from ?? 0) + found.first.length);
  const { count, fingerprint } = found;
  return { kind, count, fingerprint, data: findingsOf(found, payments, batch.id), meta: { next } };
}

const cursorAfter = ({ fingerprint, count }: store.Found, shown: number): string | null =>
  shown > 0 && shown < count ? `${shown}.${fingerprint}` : null;

/** Parses a cursor; the contract has validated its format. */
function placeOf(cursor: string): { from: number; fingerprint: string } {
  const at = cursor.indexOf(".");
  return { from: Number(cursor.slice(0, at)), fingerprint: cursor.slice(at + 1) };
}

async function present(
  tx: Tx,
  batch: Batch,
  found: readonly store.Found[],
  shortage: LimitShortage | undefined,
): Promise<BatchChecks> {
  const [payments, confirmed, byMethod, balance, largest] = await Promise.all([
    paymentsIn(tx, found),
    listConfirmations(tx, batch.id),
    sumByMethod(tx, batch.id),
    readAvailableBalance(tx),
    listLargestPayments(tx, batch.id, largestShown),
  ]);
  const checks = found.map((one) => checkOf(one, { payments, confirmed, batchId: batch.id }));
  const missingBalance = isChecked(batch) ? Math.max(0, batch.value - balance) : 0;
  const alerts = found.filter(({ kind }) => checkSeverity(kind) !== "note");
  return {
    revision: batch.revision,
    data: [
      ...checks,
      ...(shortage ? [toNote("limit_short", shortage.value, { text: shortageNote(shortage) })] : []),
      ...(missingBalance > 0 ? [toNote("balance_short", missingBalance, { missing: missingBalance })] : []),
    ],
    missing: findUnconfirmed(found, confirmed).map(({ kind, fingerprint, count }) => ({
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

export const paymentsIn = (tx: Tx, found: readonly store.Found[]) =>
  readShownPayments(tx, [
    ...new Set(found.flatMap(({ first }) => first.flatMap(({ id, other }) => (other ? [id, other] : [id])))),
  ]);

interface Beside {
  payments: Map<string, ShownPayment>;
  confirmed: readonly ConfirmationRow[];
  batchId: string;
}

export const checkOf = (one: store.Found, { payments, confirmed, batchId }: Beside): Check => ({
  kind: one.kind,
  severity: checkSeverity(one.kind),
  title: titleOf(one),
  count: one.count,
  value: one.value,
  fingerprint: one.fingerprint,
  confirmed: findConfirmation(one, confirmed),
  findings: findingsOf(one, payments, batchId),
  next: cursorAfter(one, one.first.length),
});

const findingsOf = (
  { kind, first }: store.Found,
  payments: Map<string, ShownPayment>,
  batchId: string,
): Check["findings"] =>
  first.flatMap((finding) => {
    const shown = findingOf(kind, finding, payments, batchId);
    return shown ? [shown] : [];
  });

function findConfirmation(found: Confirmation, confirmed: readonly ConfirmationRow[]) {
  const confirmation = confirmed.find(
    ({ kind, fingerprint }) => kind === found.kind && fingerprint === found.fingerprint,
  );
  return confirmation ? { by: confirmation.by, at: new Date(confirmation.at).toISOString() } : null;
}

function findingOf(
  kind: CheckKind,
  { id, other: otherId, data }: store.Found["first"][number],
  payments: Map<string, ShownPayment>,
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

/** Returns a finding about the batch as a whole, not about one payment. */
function toNote(
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
    next: null,
  };
}

/** Returns whether the first reader of the batch's findings stores them. */
export const storesFindings = (batch: Batch) => isChecked(batch) && batch.payments_count >= largeBatch;

/**
 * Returns the checks of a batch. `mayStore` is true when the transaction may write; `shortage` is the limit that the
 * batch would exceed.
 */
export async function readChecks(
  tx: Tx,
  batch: Batch,
  { now, mayStore, shortage }: { now: Date; mayStore: boolean; shortage: LimitShortage | undefined },
): Promise<BatchChecks> {
  return present(tx, batch, await findAllFindings(tx, batch, now, mayStore), shortage);
}

async function confirm(
  tx: Tx,
  call: FindingsReader,
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
  await insertConfirmations(tx, batch.id, confirmations, actor, now);
  await audit(tx, call, "checks_confirmed", batch.id, { revision: batch.revision, confirmations });
}

/** Stores the confirmations and returns the checks. The caller holds the batch's lock. */
export async function confirmChecks(
  tx: Tx,
  call: FindingsReader,
  batch: Batch,
  people: People,
  {
    confirmations,
    shortage,
  }: { confirmations: readonly Confirmation[]; shortage: LimitShortage | undefined },
): Promise<BatchChecks> {
  const found = await findAllFindings(tx, batch, call.now, true);
  await confirm(tx, call, batch, people, found, confirmations);
  return present(tx, batch, found, shortage);
}

/**
 * Throws when a finding of the current content needs a confirmation and has none. The transaction that moves a batch on
 * calls it with the batch locked. Confirmations may come with the call, in the caller's name.
 */
export async function requireConfirmed(
  tx: Tx,
  call: FindingsReader,
  batch: Batch,
  people: () => Promise<People>,
  confirmations: readonly Confirmation[] = [],
): Promise<void> {
  const found = await findAllFindings(tx, batch, call.now, true, lookups.lookupKindsToConfirm);
  if (confirmations.length > 0) await confirm(tx, call, batch, await people(), found, confirmations);
  if (!found.some(({ kind }) => checkSeverity(kind) === "tick")) return;
  const missing = findUnconfirmed(found, await listConfirmations(tx, batch.id));
  if (missing.length === 0) return;
  throw new AppError("checks_not_confirmed", {
    titles: missing.map(({ kind, count }) => checkTitle(kind, count)),
    checks: missing.map(({ kind, fingerprint, count, value }) => ({ kind, fingerprint, count, value })),
  });
}

/** Returns the lines about checks in the e-mail that asks for an approval. */
export async function checkLines(
  tx: Tx,
  batch: Batch,
  { now, shortage }: { now: Date; shortage: LimitShortage | undefined },
): Promise<string[]> {
  const [found, confirmed] = await Promise.all([
    findAllFindings(tx, batch, now, true),
    listConfirmations(tx, batch.id),
  ]);
  const lines = found.map((one) => {
    const by = findConfirmation(one, confirmed)?.by;
    return `${titleOf(one)}${by ? ` (conferido por ${by})` : ""}`;
  });
  return shortage ? [...lines, checkTitle("limit_short", 1)] : lines;
}
