/**
 * Answers of the Pix directory and the boleto register about the payments of a batch, as findings for a person to
 * review.
 */
import { createHash } from "node:crypto";
import type { CheckKind } from "@malote/domain/checks";
import { checkSeverity } from "@malote/domain/checks";
import {
  type LookupFinding,
  type LookupFindingCode,
  lookupFindingText,
  nothingComparedText,
} from "@malote/domain/lookup-findings";
import type { Tx } from "../../platform/db/database.ts";
import { readLookupFindings } from "../lookups/findings.ts";
import { listUnansweredKeys } from "../lookups/findings-store.ts";
import * as store from "./store.ts";

const kindOf = {
  key_holder_differs: "holder_differs",
  // The order of these codes is the order of the findings: names that differ come first, then payments without a name.
  key_name_differs: "holder_by_name",
  key_name_missing: "holder_by_name",
  key_name_alike: "holder_by_name",
  billet_paid: "billet_register",
  billet_unpayable: "billet_register",
  billet_not_registered: "billet_register",
} as const satisfies Partial<Record<LookupFindingCode, CheckKind>>;
const codes = Object.keys(kindOf) as (keyof typeof kindOf)[];
const kindOfFinding = ({ code }: LookupFinding) => kindOf[code as keyof typeof kindOf];

export type LookupCheckKind = (typeof kindOf)[keyof typeof kindOf];
export const lookupCheckKinds: readonly LookupCheckKind[] = [...new Set(Object.values(kindOf))];
export const isLookupKind = (kind: CheckKind): kind is LookupCheckKind =>
  (lookupCheckKinds as readonly CheckKind[]).includes(kind);
/** Lookup findings that a closing requires to be confirmed. */
export const lookupKindsToConfirm = lookupCheckKinds.filter((kind) => checkSeverity(kind) === "tick");

interface LookupSelection {
  kinds?: readonly LookupCheckKind[];
  range?: store.PageRange;
}

/** Returns the findings of lookups, evaluated on each call: answers arrive without a change of the batch. */
export async function findLookupIssues(
  tx: Tx,
  scope: store.PaymentScope,
  now: Date,
  { kinds = lookupCheckKinds, range = store.firstPage }: LookupSelection = {},
): Promise<store.Found[]> {
  const findings = await readLookupFindings(
    tx,
    scope.rows,
    now,
    codes.filter((code) => kinds.includes(kindOf[code])),
  );
  const contents = await store.readContents(
    tx,
    scope,
    findings.map(({ paymentId }) => paymentId),
  );
  const found: store.Found[] = [];
  for (const kind of kinds) {
    const ofKind = findings.filter((one) => kindOfFinding(one) === kind);
    const answered = answeredOf(kind, ofKind, contents, range);
    const one = kind === "holder_by_name" ? await appendUnanswered(tx, scope, answered, range) : answered;
    if (one.count > 0) found.push(one);
  }
  return found;
}

function answeredOf(
  kind: LookupCheckKind,
  findings: readonly LookupFinding[],
  contents: Awaited<ReturnType<typeof store.readContents>>,
  { from, max }: store.PageRange,
): store.Found {
  const lines = findings
    .map((one) => JSON.stringify([one, contents.get(one.paymentId)?.content ?? null]))
    .sort();
  const inOrder = codes.flatMap((code) => findings.filter((one) => one.code === code));
  return {
    kind,
    count: findings.length,
    value: findings.reduce((sum, { paymentId }) => sum + (contents.get(paymentId)?.value ?? 0), 0),
    fingerprint: `${findings.length}-${hashOf(lines)}`,
    first: (kind === "holder_by_name" ? inOrder : findings)
      .slice(from, from + max)
      .map((one) => ({ id: one.paymentId, other: null, data: { text: lookupFindingText(one) } })),
  };
}

const hashOf = (lines: readonly string[]): string =>
  createHash("sha256").update(lines.join("\n")).digest("hex");

/** Appends the payments whose key has no answer to those whose holder is known. */
async function appendUnanswered(
  tx: Tx,
  { rows }: store.PaymentScope,
  answered: store.Found,
  { from, max }: store.PageRange,
): Promise<store.Found> {
  const { count, value, hash, ids } = await listUnansweredKeys(tx, rows, {
    from: Math.max(0, from - answered.count),
    max: max - answered.first.length,
  });
  return {
    ...answered,
    count: answered.count + count,
    value: answered.value + value,
    fingerprint: `${answered.count + count}-${hashOf([answered.fingerprint, hash])}`,
    first: [
      ...answered.first,
      ...ids.map((id) => ({ id, other: null, data: { text: nothingComparedText } })),
    ],
  };
}
