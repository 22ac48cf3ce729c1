/** Mistakes of a draft, grouped by the correction that they share: 'corrigir as 37 iguais'. */
import type * as contracts from "@malote/contracts/batch-issues";
import type { Boleto } from "@malote/contracts/boletos";
import type { Transfer } from "@malote/contracts/transfers";
import { isSharedField } from "@malote/domain/bulk-fix";
import { parseBrl } from "@malote/domain/money";
import { type TransferDraft, transferFieldOf } from "@malote/domain/transfer-fields";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import { fixDraftBoletos, readBoletosOnWire } from "../boletos/bulk-fix.ts";
import { writeDraftPayments } from "../draft-payment-store.ts";
import type { PaymentKind, StoredIssue } from "../payment-columns.ts";
import { prepareTransfer, readTransferFacts, type TransferCheckFacts } from "../transfers/facts.ts";
import { marksAfterChange } from "../transfers/marks.ts";
import { transferOf } from "../transfers/present.ts";
import { draftOf, recordOf, type TransferRow } from "../transfers/store.ts";
import { readCachedGroups } from "./issue-group-cache.ts";
import { countGroups, listGroupPaymentIds, readGroupDigest, readTransfersById } from "./issue-store.ts";
import { getDraft } from "./locked-batch.ts";
import { getBatch } from "./read.ts";
import { applyContentChange } from "./store.ts";

/** Maximum number of payments of one group in an answer. */
const groupRowsMax = 200;
/** Rows rewritten per statement. */
const blockSize = 1000;

type Shown = (
  tx: Tx,
  ids: readonly string[],
  facts: TransferCheckFacts,
  now: Date,
) => Promise<(Transfer | Boleto)[]>;
const readShown: Readonly<Record<PaymentKind, Shown>> = {
  TRANSFER: async (tx, ids, facts) =>
    [...(await readTransfersById(tx, ids)).values()].map((row) => transferOf(row, facts)),
  BILLET: (tx, ids, _, now) => readBoletosOnWire(tx, ids, now),
};

export async function listIssueGroups(tx: Tx, { params, now }: Call<typeof contracts.listIssueGroups>) {
  const [batch, facts] = await Promise.all([getBatch(tx, params.id), readTransferFacts(tx, now)]);
  const { rows, count } = await readCachedGroups(tx, batch, facts, () => countGroups(tx, batch, facts));
  const ids = rows.map((row) => row.example);
  const shown = await readShown[batch.type](tx, ids, facts, now);
  const examples = new Map(shown.map((one) => [one.id, one]));
  return {
    rows_count: count,
    data: rows.flatMap(({ example: id, issue, given, receiver, count, digest }) => {
      const example = examples.get(id);
      return example ? [{ issue, given, receiver, count, example, digest }] : [];
    }),
  };
}

/** Returns the payments of a group, for review before a person accepts the suggestions. */
export async function listIssueRows(tx: Tx, { params, query, now }: Call<typeof contracts.listIssueRows>) {
  const [batch, facts] = await Promise.all([getBatch(tx, params.id), readTransferFacts(tx, now)]);
  const request = { batch, group: query, facts };
  const [ids, digest] = await Promise.all([listGroupPaymentIds(tx, request), readGroupDigest(tx, request)]);
  const first = ids.slice(0, groupRowsMax);
  const shown = new Map((await readShown[batch.type](tx, first, facts, now)).map((one) => [one.id, one]));
  return {
    count: ids.length,
    digest,
    // The rows keep the order of the batch.
    data: first.flatMap((id) => shown.get(id) ?? []),
  };
}

/**
 * Throws when one answer would cover several receivers in a field that belongs to one, or when suggestions come without
 * confirmed rows.
 */
function requireOneAnswer({ set, ids, receiver }: Call<typeof contracts.fixIssueGroup>["body"]): void {
  if (set === undefined && ids === undefined) throw new AppError("fix_needs_rows");
  if (
    set !== undefined &&
    receiver === null &&
    !Object.keys(set).every((field) => isSharedField(field, "TRANSFER"))
  )
    throw new AppError("fix_needs_receiver");
}

/** Returns the answer for the group's field and throws for anything else: boletos have no suggestions. */
function answerForBoletos({
  set,
  field,
}: Call<typeof contracts.fixIssueGroup>["body"]): Record<string, string> {
  const answer = set?.[field];
  if (answer === undefined || !isSharedField(field, "BILLET") || Object.keys(set ?? {}).length > 1)
    throw new AppError("fix_needs_billet");
  return { [field]: answer };
}

export async function fixIssueGroup(tx: Tx, call: Call<typeof contracts.fixIssueGroup>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  const facts = await readTransferFacts(tx, now);
  const fixRows = fixerOf[batch.type](tx, batch.id, facts, call);
  const request = { batch, group: body, facts };
  // A later change by another person must be seen before it is overwritten, as on the screen of one payment.
  if (body.digest !== undefined && body.digest !== (await readGroupDigest(tx, request)))
    throw new AppError("batch_changed");
  const inGroup = await listGroupPaymentIds(tx, request);
  const ticked = body.ids && new Set(body.ids.map((id) => id.toLowerCase()));
  const ids = ticked ? inGroup.filter((id) => ticked.has(id)) : inGroup;
  const growth = { value: 0, payments: 0, errors: 0 };
  let stillWrong = 0;
  for (let start = 0; start < ids.length; start += blockSize) {
    const fixed = await fixRows(ids.slice(start, start + blockSize));
    stillWrong += fixed.stillWrong;
    growth.value += fixed.value;
    growth.errors += fixed.errors;
  }
  if (ids.length > 0) await applyContentChange(tx, batch.id, growth, actor.id);
  await audit(tx, call, "issues_fixed", batch.id, { code: body.code, rows: ids.length });
  return { fixed: ids.length - stillWrong, still_wrong: stillWrong };
}

type RowsFixer = (ids: readonly string[]) => Promise<{ value: number; errors: number; stillWrong: number }>;

function boletoFixer(
  tx: Tx,
  batchId: string,
  _facts: TransferCheckFacts,
  { body, now }: Call<typeof contracts.fixIssueGroup>,
): RowsFixer {
  const set = answerForBoletos(body);
  return (ids) => fixDraftBoletos(tx, { batchId, ids, set }, now);
}

function transferFixer(
  tx: Tx,
  batchId: string,
  facts: TransferCheckFacts,
  call: Call<typeof contracts.fixIssueGroup>,
): RowsFixer {
  requireOneAnswer(call.body);
  return async (ids) => {
    const found = await readTransfersById(tx, ids);
    const fixed = [...found.values()].map((row) => fixRow(row, call.body, facts, call));
    const { value, errors, written } = await writeDraftPayments(
      tx,
      { batchId, kind: "TRANSFER", now: call.now },
      fixed.map(recordOf),
    );
    if (written !== fixed.length) throw new Error("a payment that was locked with its batch was not written");
    return { value, errors, stillWrong: fixed.filter((transfer) => transfer.errors.length > 0).length };
  };
}

const fixerOf: Readonly<Record<PaymentKind, typeof transferFixer>> = {
  TRANSFER: transferFixer,
  BILLET: boletoFixer,
};

/**
 * Applies the fix to a row and checks it again. A cell that could not be read and was not corrected keeps its issue.
 */
function fixRow(
  row: TransferRow,
  body: Call<typeof contracts.fixIssueGroup>["body"],
  facts: TransferCheckFacts,
  { actor, now }: Pick<Call<typeof contracts.fixIssueGroup>, "actor" | "now">,
) {
  const complaint = row.errors?.find((issue) => issue.code === body.code && issue.field === body.field);
  const changes = body.set ?? complaint?.suggestion ?? {};
  const fixed = prepareTransfer(row.id, { ...draftOf(row), ...draftChanges(changes) }, facts);
  const before: readonly StoredIssue[] = row.errors ?? [];
  // A date that could not be read must not become "today".
  const unread = before.filter(
    (issue) => issue.code === "payment_date_invalid" && !("payment_date" in changes),
  );
  const errors = fixed.errors.map((issue) => ({
    ...issue,
    ...before.find((earlier) => earlier.code === issue.code && earlier.field === issue.field),
  }));
  const origin = body.set ? ("corrected" as const) : ("suggested" as const);
  const marks = marksAfterChange(row, fixed.draft, [{ fields: Object.keys(changes), origin }], {
    by: actor,
    now,
  });
  return { ...fixed, errors: [...errors, ...unread], marks };
}

function draftChanges(changes: Record<string, string>): Partial<TransferDraft> {
  const draft: Partial<Record<keyof TransferDraft, string | number | null>> = {};
  for (const [name, text] of Object.entries(changes)) {
    const field = transferFieldOf[name];
    if (field) draft[field] = field === "value" ? (parseBrl(text) ?? null) : text || null;
  }
  return draft as Partial<TransferDraft>;
}
