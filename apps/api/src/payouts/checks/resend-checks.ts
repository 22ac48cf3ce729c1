/**
 * Checks before paying for failed payments that are resent: evaluated as they would be sent, confirmed by name, and
 * listed beside each payment.
 */
import { formatMoment } from "@malote/domain/calendar";
import { type Confirmation, checkKinds, checkSeverity } from "@malote/domain/checks";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { lockChecks } from "../locks.ts";
import type { ResendRecord } from "../payment-columns.ts";
import { checkOf, type FindingsReader, findInScope, paymentsIn } from "./check.ts";
import { insertConfirmations, listConfirmations } from "./confirmation-store.ts";
import { findLookupIssues, lookupKindsToConfirm } from "./lookup-checks.ts";
import * as store from "./store.ts";

/** Returns the findings of these payments that must be confirmed before they are resent. */
async function findResendFindings(
  tx: Tx,
  resends: readonly ResendRecord[],
  now: Date,
): Promise<store.Found[]> {
  if (resends.length === 0) return [];
  const scope = store.resentPayments(tx, resends);
  // Few payments are resent at once, so the answer holds all their findings.
  const range = { from: 0, max: resends.length };
  const found = [
    ...(await findInScope(tx, scope, now, range)),
    ...(await findLookupIssues(tx, scope, now, { kinds: lookupKindsToConfirm, range })),
  ];
  return found
    .filter(({ kind }) => checkSeverity(kind) === "tick")
    .sort((a, b) => checkKinds.indexOf(a.kind) - checkKinds.indexOf(b.kind));
}

/**
 * Throws unless a named person has confirmed all findings that need it. The caller holds the batch's lock and resends
 * the payments afterwards. Returns the confirmations as texts for the approvers. `mayConfirm` decides whether the caller
 * may confirm: a credential confirms only what it, or the person behind it, prepared.
 */
export async function requireResendFindingsConfirmed(
  tx: Tx,
  call: FindingsReader,
  batch: { id: string },
  resends: readonly ResendRecord[],
  {
    confirmations,
    mayConfirm,
  }: { confirmations: readonly Confirmation[]; mayConfirm: () => Promise<boolean> },
): Promise<{ label: string; value: string }[]> {
  await lockChecks(tx);
  const found = await findResendFindings(tx, resends, call.now);
  if (confirmations.length > 0) {
    if (!(await mayConfirm())) throw new AppError("confirmation_of_another");
    const isFound = (one: Confirmation) =>
      found.some(({ kind, fingerprint }) => kind === one.kind && fingerprint === one.fingerprint);
    if (!confirmations.every(isFound)) throw new AppError("checks_changed");
    await insertConfirmations(tx, batch.id, confirmations, call.actor, call.now);
    await audit(tx, call, "checks_confirmed", batch.id, {
      payments: resends.map(({ id }) => id),
      confirmations,
    });
  }
  if (found.length === 0) return [];
  const [payments, confirmed] = await Promise.all([paymentsIn(tx, found), listConfirmations(tx, batch.id)]);
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
      `Conferido por ${by?.by} em ${formatMoment(new Date(by?.at ?? call.now))}`,
    ].join(" · "),
  }));
}

/** Returns, by payment, the texts of the findings that need confirmation if it is resent as it is. */
export async function resendNotes(
  tx: Tx,
  batchId: string,
  resends: readonly ResendRecord[],
  now: Date,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await findResendFindings(tx, resends, now);
  const payments = await paymentsIn(tx, found);
  const notes = new Map<string, string[]>();
  for (const one of found)
    for (const { payment, text } of checkOf(one, { payments, confirmed: [], batchId }).findings)
      notes.set(payment.id, [...(notes.get(payment.id) ?? []), text]);
  return notes;
}
