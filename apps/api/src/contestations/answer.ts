/**
 * A company's final answer to an infraction. Approving accepts the fraud and returns the money in the same transaction;
 * rejecting defends the sale, and the provider decides.
 */
import type { approveInfractions } from "@malote/contracts/contestations";
import { type Analysis, refusalOfAnswer } from "@malote/domain/infraction";
import { cents, formatBrl } from "@malote/domain/money";
import { requireFunction } from "../company/index.ts";
import {
  type ApprovalCall,
  type ExecuteRequest,
  listRequestedAnswers,
  passControls,
  recordUnapprovedOutflow,
} from "../controls/index.ts";
import { AppError } from "../platform/app-error.ts";
import { type AuditContext, audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { returnableOf } from "./present.ts";
import { beginRefund } from "./refunds.ts";
import { type Attachment, type InfractionRow, lockInfractions, writeAnswer } from "./store.ts";

const answerRefusal = (row: InfractionRow, now: Date) =>
  refusalOfAnswer(
    {
      analysisStatus: row.analysis_status,
      contestedAt: row.contested_at,
      analysisDueAt: row.analysis_due_at,
    },
    now,
  );

interface Answer {
  analysis: Analysis;
  description: string | null;
  attachment: Attachment | null;
}

type AnsweringCall = AuditContext & { actor: Actor };

async function answerOne(tx: Tx, row: InfractionRow, answer: Answer, acting: AnsweringCall): Promise<void> {
  const { analysis, description, attachment } = answer;
  await writeOne(tx, row, answer, acting);
  const detail = { ...(description && { description }), ...(attachment && { file: attachment.name }) };
  await audit(tx, acting, `infraction_${analysis}`, row.id, detail);
}

async function writeOne(
  tx: Tx,
  row: InfractionRow,
  { analysis, description, attachment }: Answer,
  { actor, now }: { actor: Pick<Actor, "id" | "name">; now: Date },
): Promise<void> {
  await writeAnswer(tx, row.id, {
    status: analysis,
    by: { id: actor.id, name: actor.name },
    description,
    attachment,
    now,
  });
  if (analysis === "accepted") await beginRefund(tx, row, now);
}

/** MED-021: approves all given infractions or none, because a partial approval could not be undone. */
export async function approveInfraction(
  tx: Tx,
  services: Pick<Services, "jobs">,
  call: Call<typeof approveInfractions>,
): Promise<{ approved: number; awaits_approval?: boolean }> {
  const rows = await lockAnswerable(tx, call.body.infraction_ids, call.now);
  const answer: Answer = { analysis: "accepted", description: null, attachment: null };
  if (await requestApprovalIfNeeded(tx, rows, answer, call)) return { approved: 0, awaits_approval: true };
  for (const row of rows) await answerOne(tx, row, answer, call);
  await services.jobs.enqueue(tx, "tell-infractions", { companyId: tx.companyId });
  return { approved: rows.length };
}

async function lockAnswerable(tx: Tx, given: readonly string[], now: Date): Promise<InfractionRow[]> {
  const ids = [...new Set(given)];
  const rows = await lockInfractions(tx, ids);
  if (rows.length < ids.length) throw new AppError("not_found");
  const refused = rows.filter((row) => answerRefusal(row, now));
  if (refused.length > 0) throw new AppError("infractions_not_pending", { count: refused.length });
  return rows;
}

const returnableOfAll = (rows: readonly InfractionRow[]) =>
  rows.reduce((sum, row) => sum + returnableOf(row), 0);

/**
 * Requests approval for returning the remaining money of the infractions; returns whether another person has to
 * approve.
 */
async function requestApprovalIfNeeded(
  tx: Tx,
  rows: readonly InfractionRow[],
  answer: Answer,
  deciding: ApprovalCall,
): Promise<boolean> {
  const { now } = deciding;
  const ids = rows.map(({ id }) => id);
  // MED-020: an infraction in an open request, alone or with others, is not approved again.
  if ((await listRequestedAnswers(tx, ids, now)).size > 0) throw new AppError("approval_request_open");
  const amount = returnableOfAll(rows);
  const [first] = rows;
  if (!first || amount === 0) return false;
  await requireFunction(tx, "payin_refund_med");
  const passed = await passControls(tx, deciding, {
    kind: "INFRACTION",
    objectId: first.id,
    amount,
    payload: { ids, said: answer },
    facts: [
      { label: "Devolver", value: formatBrl(cents(amount)) },
      { label: "Infrações", value: String(rows.length) },
      { label: "Pagador", value: rows.length === 1 ? first.payer_name : "Vários" },
    ],
  });
  if (passed.kind === "waits") return true;
  const outflow = {
    id: uuidv7(now.getTime()),
    kind: "INFRACTION",
    amount,
    people: passed.people,
    now,
  } as const;
  await recordUnapprovedOutflow(tx, outflow);
  return false;
}

export const executeInfractions =
  (services: Pick<Services, "jobs">): ExecuteRequest<"INFRACTION"> =>
  async (tx, { amount, payload }, { actor, now }) => {
    const { ids, said: answer } = payload;
    await requireFunction(tx, "payin_refund_med");
    const rows = await lockAnswerable(tx, ids, now);
    // A refund under way at the request may have failed since, which leaves more to return than was approved.
    const returnable = returnableOfAll(rows);
    if (returnable > (amount ?? 0))
      throw new AppError("approval_amount_exceeded", {
        now: formatBrl(cents(returnable)),
        asked: formatBrl(cents(amount ?? 0)),
      });
    for (const row of rows) await writeOne(tx, row, answer, { actor, now });
    await services.jobs.enqueue(tx, "tell-infractions", { companyId: tx.companyId });
  };

/**
 * Refuses an infraction that cannot be answered: before a file is uploaded in vain, and again in the transaction that
 * answers.
 */
export function requireAnswerable(row: InfractionRow | undefined, now: Date): InfractionRow {
  if (!row) throw new AppError("not_found");
  const refusal = answerRefusal(row, now);
  if (refusal) throw new AppError(refusal);
  return row;
}

/**
 * Stores a single infraction's answer; returns true when it waits for another person and the infraction has no answer
 * yet.
 */
export async function defendInfraction(
  tx: Tx,
  services: Pick<Services, "jobs">,
  id: string,
  answer: Answer,
  deciding: ApprovalCall,
): Promise<boolean> {
  const [locked] = await lockInfractions(tx, [id]);
  const row = requireAnswerable(locked, deciding.now);
  if (answer.analysis === "accepted" && (await requestApprovalIfNeeded(tx, [row], answer, deciding)))
    return true;
  await answerOne(tx, row, answer, deciding);
  await services.jobs.enqueue(tx, "tell-infractions", { companyId: tx.companyId });
  return false;
}
