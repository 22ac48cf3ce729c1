/** The mistakes of a draft, grouped by what mends them together: 'corrigir as 37 iguais'. */
import type { fixIssueGroup, listIssueGroups } from "@malote/contracts/batches";
import type { Issue } from "@malote/domain/issues";
import { parseBrl } from "@malote/domain/money";
import type { TransferDraft } from "@malote/domain/transfer";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import {
  draftOf,
  type Facts,
  prepare,
  readFacts,
  type StoredIssue,
  type TransferRow,
  transferColumns,
  transferOf,
  writeDraftTransfers,
} from "../transfers/index.ts";
import { getDraft } from "./edit.ts";
import { getBatchOf } from "./read.ts";
import { growBatch } from "./store.ts";

/** Groups a screen can take in; the rest follow as these are mended. */
const groupsMax = 50;
/** Rows rewritten in one statement. */
const blockSize = 1000;

interface GroupRow {
  code: Issue["code"];
  field: string;
  given: string | null;
  count: number;
  issue: StoredIssue;
  example: string;
}

/** Rows that each carry their own proposed fix make one group; rows without make one for each thing that was written. */
const givenOf = sql`CASE WHEN e.issue ? 'suggestion' THEN NULL ELSE e.issue ->> 'given' END`;

export async function groups(tx: Tx, { params, now }: Call<typeof listIssueGroups>) {
  const batch = await getBatchOf(tx, params.id, "TRANSFER");
  const { rows } = await sql<GroupRow>`
    SELECT e.issue ->> 'code' AS code, e.issue ->> 'field' AS field, ${givenOf} AS given, count(*)::int AS count,
           (array_agg(e.issue ORDER BY t.position))[1] AS issue, (array_agg(t.id ORDER BY t.position))[1] AS example
    FROM transfers t CROSS JOIN LATERAL jsonb_array_elements(t.errors) AS e (issue)
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id} AND t.errors IS NOT NULL
    GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 3 LIMIT ${groupsMax}
  `.execute(tx);
  const facts = await readFacts(tx, now);
  const examples = await rowsById(
    tx,
    rows.map((row) => row.example),
  );
  return {
    rows_count: batch.errors_count,
    data: rows.flatMap((row) => {
      const example = examples.get(row.example);
      if (!example) return [];
      return [{ issue: row.issue, given: row.given, count: row.count, example: transferOf(example, facts) }];
    }),
  };
}

async function rowsById(tx: Tx, ids: readonly string[]): Promise<Map<string, TransferRow>> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${ids}::uuid[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function fix(tx: Tx, call: Call<typeof fixIssueGroup>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "TRANSFER") throw new AppError("batch_wrong_type");
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id} AND EXISTS (
      SELECT FROM jsonb_array_elements(t.errors) AS e (issue)
      WHERE e.issue ->> 'code' = ${body.code} AND e.issue ->> 'field' = ${body.field}
        AND ${givenOf} IS NOT DISTINCT FROM ${body.given}::text
    )
    ORDER BY t.position
  `.execute(tx);
  const facts = await readFacts(tx, now);
  const growth = { value: 0, payments: 0, errors: 0 };
  let stillWrong = 0;
  for (let start = 0; start < rows.length; start += blockSize) {
    const mended = rows.slice(start, start + blockSize).map((row) => mend(row, body, facts));
    stillWrong += mended.filter((transfer) => transfer.errors.length > 0).length;
    const grown = await writeDraftTransfers(tx, batch.id, mended, now);
    growth.value += grown.value;
    growth.errors += grown.errors;
  }
  if (rows.length > 0) await growBatch(tx, batch.id, growth, actor.id);
  await audit(tx, call, "issues_fixed", batch.id, { code: body.code, rows: rows.length });
  return { fixed: rows.length - stillWrong, still_wrong: stillWrong };
}

/** The row with the fix applied, checked anew. What could not be read and was not mended stays a complaint. */
function mend(row: TransferRow, body: Call<typeof fixIssueGroup>["body"], facts: Facts) {
  const complaint = row.errors?.find((issue) => issue.code === body.code && issue.field === body.field);
  const changes = body.set ?? complaint?.suggestion ?? {};
  const mended = prepare(row.id, { ...draftOf(row), ...draftChanges(changes) }, facts);
  const before: readonly StoredIssue[] = row.errors ?? [];
  // A day that was written and could not be read is not "today".
  const unread = before.filter(
    (issue) => issue.code === "payment_date_invalid" && !("payment_date" in changes),
  );
  const errors = mended.errors.map((issue) => ({
    ...issue,
    ...before.find((earlier) => earlier.code === issue.code && earlier.field === issue.field),
  }));
  return { ...mended, errors: [...errors, ...unread] };
}

const draftFieldOf: Record<string, keyof TransferDraft> = {
  name: "name",
  cpf_cnpj: "taxId",
  email: "email",
  bank_id: "bankIspb",
  agency: "agency",
  agency_digit: "agencyDigit",
  account: "account",
  account_digit: "accountDigit",
  account_type: "accountType",
  pix_key: "pixKey",
  pix_key_type: "pixKeyType",
  pix_key_validation: "pixKeyValidation",
  value: "value",
  payment_date: "paymentDate",
  pix_description: "pixDescription",
  integration_id: "integrationId",
};

function draftChanges(changes: Record<string, string>): Partial<TransferDraft> {
  const draft: Partial<Record<keyof TransferDraft, string | number | null>> = {};
  for (const [name, text] of Object.entries(changes)) {
    const field = draftFieldOf[name];
    if (field) draft[field] = field === "value" ? (parseBrl(text) ?? null) : text || null;
  }
  return draft as Partial<TransferDraft>;
}
