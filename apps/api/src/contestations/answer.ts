/**
 * What a company says of an infraction, once and for good. Approving agrees that it was fraud and gives the money back in the
 * same transaction; reproving defends the sale, and the provider decides.
 */
import type { approveInfractions } from "@malote/contracts/contestations";
import { type Analysis, refusalOfAnswer } from "@malote/domain/infraction";
import { AppError } from "../platform/app-error.ts";
import { type Acting, audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { beginRefund } from "./refunds.ts";
import { type Attachment, type InfractionRow, lockInfractions, writeAnswer } from "./store.ts";

const refusalOf = (row: InfractionRow, now: Date) =>
  refusalOfAnswer(
    {
      analysisStatus: row.analysis_status,
      contestedAt: row.contested_at,
      analysisDueAt: row.analysis_due_at,
    },
    now,
  );

interface Said {
  analysis: Analysis;
  description: string | null;
  attachment: Attachment | null;
}

type Answering = Acting & { actor: Actor };

async function answerOne(
  tx: Tx,
  row: InfractionRow,
  { analysis, description, attachment }: Said,
  acting: Answering,
): Promise<void> {
  const { actor, now } = acting;
  await writeAnswer(tx, row.id, {
    status: analysis,
    by: { id: actor.id, name: actor.name },
    description,
    attachment,
    now,
  });
  const detail = { ...(description && { description }), ...(attachment && { file: attachment.name }) };
  await audit(tx, acting, `infraction_${analysis}`, row.id, detail);
  if (analysis === "accepted") await beginRefund(tx, row, now);
}

/** MED-021: all of them or none, since nobody could take back half. */
export async function approve(
  tx: Tx,
  parts: Pick<Parts, "jobs">,
  call: Call<typeof approveInfractions>,
): Promise<{ approved: number }> {
  const ids = [...new Set(call.body.infraction_ids)];
  const rows = await lockInfractions(tx, ids);
  if (rows.length < ids.length) throw new AppError("not_found");
  const refused = rows.filter((row) => refusalOf(row, call.now));
  if (refused.length > 0) throw new AppError("infractions_not_pending", { count: refused.length });
  const said: Said = { analysis: "accepted", description: null, attachment: null };
  for (const row of rows) await answerOne(tx, row, said, call);
  await parts.jobs.enqueue(tx, "tell-infractions", { companyId: tx.companyId });
  return { approved: rows.length };
}

/** Refuses before a file is taken for nothing, and again in the transaction that answers. */
export function expectAnswerable(row: InfractionRow | undefined, now: Date): InfractionRow {
  if (!row) throw new AppError("not_found");
  const refusal = refusalOf(row, now);
  if (refusal) throw new AppError(refusal);
  return row;
}

export async function defend(
  tx: Tx,
  parts: Pick<Parts, "jobs">,
  id: string,
  said: Said,
  acting: Answering,
): Promise<void> {
  const [row] = await lockInfractions(tx, [id]);
  await answerOne(tx, expectAnswerable(row, acting.now), said, acting);
  await parts.jobs.enqueue(tx, "tell-infractions", { companyId: tx.companyId });
}
