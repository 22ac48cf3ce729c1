/** Mistakes of a draft, grouped by the correction that they share: 'corrigir as 37 iguais'. */

import type * as contracts from "@malote/contracts/batch-issues";
import type { Boleto } from "@malote/contracts/boletos";
import type { Transfer } from "@malote/contracts/transfers";
import { isSharedField, sharedFields } from "@malote/domain/bulk-fix";
import type { Issue } from "@malote/domain/issues";
import { parseBrl } from "@malote/domain/money";
import { suspensionIssue } from "@malote/domain/suspended-functions";
import { type TransferDraft, transferFieldOf } from "@malote/domain/transfer-fields";
import { type RawBuilder, sql } from "kysely";
import { sqlBlockedTaxIds } from "../../company/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import type { Call } from "../../platform/http/serve.ts";
import { boletosShown, fixDraftBoletos } from "../boletos/bulk-fix.ts";
import { writeDraftPayments } from "../draft-payment-store.ts";
import type { PaymentKind, StoredIssue } from "../payment-columns.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import {
  sqlIsCodeExpired,
  sqlIsCodeExpiredByThen,
  sqlIsDuplicatedCode,
  sqlIsHolderBlocked,
  sqlIsLate,
  sqlIsOverdueBoleto,
  sqlIsSuspended,
} from "../rules/rules-sql.ts";
import { type Facts, prepare, readFacts } from "../transfers/facts.ts";
import { marksAfterChange } from "../transfers/marks.ts";
import { hourCodes, transferOf } from "../transfers/present.ts";
import { draftOf, recordOf, type TransferRow, transferColumns } from "../transfers/store.ts";
import { cachedGroups } from "./issue-group-cache.ts";
import { getDraft } from "./locked-batch.ts";
import { getBatch } from "./read.ts";
import { applyContentChange, type BatchRow } from "./store.ts";

/** Maximum number of groups in an answer; the others follow as these are corrected. */
const groupsMax = 50;
/** Maximum number of payments of one group in an answer. */
const groupRowsMax = 200;
/** Rows rewritten per statement. */
const blockSize = 1000;

interface GroupRow {
  code: Issue["code"];
  field: string;
  given: string | null;
  receiver: string | null;
  count: number;
  issue: StoredIssue;
  example: string;
  digest: string;
}

/** Digest of a group's payments: their ids with PostgreSQL's row version (xmin), which every write changes. */
const digestOfRows = sql<string>`md5(string_agg(t.id::text || ' ' || t.xmin::text, ',' ORDER BY t.position, t.id))`;

/**
 * Selects the issues of a payment under the current rules, as `transferOf` shows them: the stored ones, with date,
 * hour, Pix codes, blocked documents, suspended methods and limits evaluated again. Without them a draft that waited
 * over a weekend would show sixty wrong payments and no group to correct. `transfers/rules.test.ts` compares both.
 */
function issuesNow(facts: DayFacts) {
  const { today, tedClosedToday, maxCents } = facts;
  const stored = (code: string, field: string) =>
    sql`coalesce(t.errors @> ${JSON.stringify([{ code, field }])}::jsonb, false)`;
  const issue = (code: string, field: string) => sql`${JSON.stringify({ code, field })}::jsonb`;
  const suspensions = new Map(
    facts.suspended.map((method) => [method, suspensionIssue(method, facts.suspended)]),
  );
  const max = sql`CASE t.payment_method WHEN 'PIX' THEN ${maxCents.PIX}::bigint WHEN 'TED' THEN ${maxCents.TED}::bigint
    ELSE ${maxCents.TEV}::bigint END`;
  return sql`(
    SELECT s.issue FROM jsonb_array_elements(t.errors) AS s (issue)
    WHERE s.issue ->> 'code' <> ALL(${[...hourCodes]}::text[])
    -- Most rows have only stored issues; this guard skips the ten conditions below.
    UNION ALL SELECT became.issue FROM (SELECT WHERE ${sqlIsLate(facts)}) AS late CROSS JOIN LATERAL (
    SELECT ${issue("payment_date_expired", "payment_date")} AS issue WHERE t.payment_date < ${today}::date
    UNION ALL SELECT ${issue("payment_time_expired", "payment_date")}
      WHERE ${tedClosedToday}::boolean AND t.payment_method = 'TED' AND t.payment_date = ${today}::date
    UNION ALL SELECT ${issue("qr_expired", "emv")} WHERE ${sqlIsCodeExpired(facts)}
    UNION ALL SELECT ${issue("qr_expired_by_then", "payment_date")} WHERE ${sqlIsCodeExpiredByThen(facts)}
    UNION ALL SELECT ${issue("qr_duplicated", "emv")} WHERE ${sqlIsDuplicatedCode}
    UNION ALL SELECT ${issue("tax_id_blocked", "cpf_cnpj")}
      WHERE t.tax_id IN (${sqlBlockedTaxIds}) AND NOT ${stored("tax_id_blocked", "cpf_cnpj")}
    UNION ALL SELECT ${issue("tax_id_blocked", "pix_key")}
      WHERE t.pix_key_type IN ('CPF', 'CNPJ') AND t.pix_key IN (${sqlBlockedTaxIds}) AND t.pix_key IS DISTINCT FROM t.tax_id
        AND NOT ${stored("tax_id_blocked", "pix_key")}
    UNION ALL SELECT ${issue("tax_id_blocked", "pix_key")}
      WHERE ${sqlIsHolderBlocked} AND NOT ${stored("tax_id_blocked", "cpf_cnpj")} AND NOT ${stored("tax_id_blocked", "pix_key")}
        AND (t.tax_id IN (${sqlBlockedTaxIds})) IS NOT TRUE
        AND (t.pix_key_type IN ('CPF', 'CNPJ') AND t.pix_key IN (${sqlBlockedTaxIds})) IS NOT TRUE
    UNION ALL SELECT ${JSON.stringify(Object.fromEntries(suspensions))}::jsonb -> t.payment_method WHERE ${sqlIsSuspended(facts)}
    UNION ALL SELECT jsonb_build_object('code', 'value_above_max', 'field', 'value', 'data', jsonb_build_object('max', ${max}))
      WHERE t.value > ${max} AND NOT ${stored("value_above_max", "value")}
    ) AS became
  )`;
}

/** Condition for the wrong rows of a draft. */
const wrongRows = (tx: Tx, batchId: string, facts: DayFacts) => sql`
  t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED'
    AND (t.errors IS NOT NULL OR ${sqlIsLate(facts)})`;

/** Condition for issues that form groups. Boletos have no receiver to group by, only the fields that all share. */
const isGrouped: Readonly<Record<PaymentKind, (facts: DayFacts) => RawBuilder<unknown>>> = {
  TRANSFER: () => sql`true`,
  BILLET: (facts) => sql`e.issue ->> 'field' = ANY(${[...sharedFields.BILLET]}::text[])
          -- Another payment day does not help an overdue boleto.
          AND NOT (e.issue ->> 'field' = 'payment_date' AND ${sqlIsOverdueBoleto(facts)})`,
};

/** Joins each wrong row with its issues that belong to a group, once for each issue. */
const complaints = (tx: Tx, { id, type }: Pick<BatchRow, "id" | "type">, facts: DayFacts) => sql`
  transfers t CROSS JOIN LATERAL ${issuesNow(facts)} AS e (issue)
  WHERE ${wrongRows(tx, id, facts)} AND ${isGrouped[type](facts)}`;

/**
 * Condition for issues that form one group whatever the cells contain: suggestions, and dates or hours that have
 * passed.
 */
const isOneForAll = sql`(e.issue ? 'suggestion' OR e.issue ->> 'code' IN ('payment_date_expired', 'payment_time_expired'))`;
/** Cell text that separates groups; null where every row has its own suggestion or the date has passed. */
const givenOf = sql`CASE WHEN ${isOneForAll} THEN NULL ELSE e.issue ->> 'given' END`;
/** Receiver that separates groups; null where one answer can be right for several receivers. */
const receiverOf = sql`CASE WHEN ${isOneForAll} OR t.payment_method = 'BILLET'
  OR e.issue ->> 'field' = ANY(${[...sharedFields.TRANSFER]}::text[]) THEN NULL
  ELSE coalesce(t.tax_id, t.pix_key, t.id::text) END`;

export async function groups(tx: Tx, { params, now }: Call<typeof contracts.listIssueGroups>) {
  const [batch, facts] = await Promise.all([getBatch(tx, params.id), readFacts(tx, now)]);
  const { rows, count } = await cachedGroups(tx, batch, facts, () => countGroups(tx, batch, facts));
  const ids = rows.map((row) => row.example);
  const shown = await shownOf[batch.type](tx, ids, facts, now);
  const examples = new Map(shown.map((one) => [one.id, one]));
  return {
    rows_count: count,
    data: rows.flatMap(({ example: id, issue, given, receiver, count, digest }) => {
      const example = examples.get(id);
      return example ? [{ issue, given, receiver, count, example, digest }] : [];
    }),
  };
}

/** Counts the wrong rows and their groups, and finds out whether any row has a code. */
async function countGroups(tx: Tx, batch: Pick<BatchRow, "id" | "type">, facts: DayFacts) {
  const { rows } = await sql<GroupRow>`
    SELECT e.issue ->> 'code' AS code, e.issue ->> 'field' AS field, ${givenOf} AS given, ${receiverOf} AS receiver,
           count(*)::int AS count,
           (array_agg(e.issue ORDER BY t.position))[1] AS issue, (array_agg(t.id ORDER BY t.position))[1] AS example,
           ${digestOfRows} AS digest
    FROM ${complaints(tx, batch, facts)}
    GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC, 1, 3, 4 LIMIT ${groupsMax}
  `.execute(tx);
  const counted = await sql<{ count: number; hasCodes: boolean }>`
    SELECT count(*) FILTER (WHERE ${wrongRows(tx, batch.id, facts)})::int AS count,
      coalesce(bool_or(t.emv_until IS NOT NULL OR t.emv_location IS NOT NULL OR t.barcode IS NOT NULL), false) AS "hasCodes"
    FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id}
  `.execute(tx);
  return { rows, ...onlyRow(counted) };
}

type Shown = (tx: Tx, ids: readonly string[], facts: Facts, now: Date) => Promise<(Transfer | Boleto)[]>;
const shownOf: Readonly<Record<PaymentKind, Shown>> = {
  TRANSFER: async (tx, ids, facts) =>
    [...(await rowsById(tx, ids)).values()].map((row) => transferOf(row, facts)),
  BILLET: (tx, ids, _, now) => boletosShown(tx, ids, now),
};

interface GroupKey {
  code: string;
  field: string;
  given?: string | null | undefined;
  receiver?: string | null | undefined;
}

type GroupAsked = { batch: Pick<BatchRow, "id" | "type">; group: GroupKey; facts: DayFacts };

const complaintsOf = (tx: Tx, { batch, group, facts }: GroupAsked) => sql`
  ${complaints(tx, batch, facts)}
    AND e.issue ->> 'code' = ${group.code} AND e.issue ->> 'field' = ${group.field}
    AND ${givenOf} IS NOT DISTINCT FROM ${group.given ?? null}::text
    AND ${receiverOf} IS NOT DISTINCT FROM ${group.receiver ?? null}::text`;

async function listIds(tx: Tx, asked: GroupAsked): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT ON (t.position, t.id) t.id FROM ${complaintsOf(tx, asked)} ORDER BY t.position, t.id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns the digest of a group's payments; the empty string when the group is empty. */
async function readGroupDigest(tx: Tx, asked: GroupAsked): Promise<string> {
  return onlyRow(
    await sql<{ digest: string }>`
      SELECT coalesce(${digestOfRows}, '') AS digest FROM ${complaintsOf(tx, asked)}
    `.execute(tx),
  ).digest;
}

/** Returns the payments of a group, for review before a person accepts the suggestions. */
export async function groupRows(tx: Tx, { params, query, now }: Call<typeof contracts.listIssueRows>) {
  const [batch, facts] = await Promise.all([getBatch(tx, params.id), readFacts(tx, now)]);
  const asked = { batch, group: query, facts };
  const [ids, digest] = await Promise.all([listIds(tx, asked), readGroupDigest(tx, asked)]);
  const first = ids.slice(0, groupRowsMax);
  const shown = new Map((await shownOf[batch.type](tx, first, facts, now)).map((one) => [one.id, one]));
  return {
    count: ids.length,
    digest,
    // The rows keep the order of the batch.
    data: first.flatMap((id) => shown.get(id) ?? []),
  };
}

async function rowsById(tx: Tx, ids: readonly string[]): Promise<Map<string, TransferRow>> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${ids}::uuid[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
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
  const facts = await readFacts(tx, now);
  const fixRows = fixerOf[batch.type](tx, batch.id, facts, call);
  const asked = { batch, group: body, facts };
  // A later change by another person must be seen before it is overwritten, as on the screen of one payment.
  if (body.digest !== undefined && body.digest !== (await readGroupDigest(tx, asked)))
    throw new AppError("batch_changed");
  const inGroup = await listIds(tx, asked);
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
  _facts: Facts,
  { body, now }: Call<typeof contracts.fixIssueGroup>,
): RowsFixer {
  const set = answerForBoletos(body);
  return (ids) => fixDraftBoletos(tx, { batchId, ids, set }, now);
}

function transferFixer(
  tx: Tx,
  batchId: string,
  facts: Facts,
  call: Call<typeof contracts.fixIssueGroup>,
): RowsFixer {
  requireOneAnswer(call.body);
  return async (ids) => {
    const found = await rowsById(tx, ids);
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
  facts: Facts,
  { actor, now }: Pick<Call<typeof contracts.fixIssueGroup>, "actor" | "now">,
) {
  const complaint = row.errors?.find((issue) => issue.code === body.code && issue.field === body.field);
  const changes = body.set ?? complaint?.suggestion ?? {};
  const fixed = prepare(row.id, { ...draftOf(row), ...draftChanges(changes) }, facts);
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
