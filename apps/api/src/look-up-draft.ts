/** The job `ask-lookups`: what the outside world knows of a draft is asked, and what that changes is written. */
import { saoPauloDate } from "@malote/domain/calendar";
import { sql } from "kysely";
import { repriceDraft } from "./billets/reprice.ts";
import { askForDraft } from "./lookups/index.ts";
import type { Parts } from "./platform/parts.ts";

export async function lookUpDraft(
  parts: Parts,
  draft: { companyId: string; batchId: string },
): Promise<void> {
  await askForDraft(parts, draft);
  await repriceDraft(parts, draft);
}

/** Drafts of boletos whose prices were those of a day that has passed. One that is not taken any more has no other price. */
export async function lookUpOldDrafts(parts: Parts): Promise<void> {
  const today = saoPauloDate(parts.clock.now());
  const { rows } = await parts.db.withSystem((tx) =>
    sql<{ companyId: string; batchId: string }>`
      SELECT DISTINCT b.company_id AS "companyId", b.id AS "batchId" FROM batches b
      JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
      JOIN billet_lookups l ON l.company_id = t.company_id AND l.barcode = t.barcode AND l.outcome = 'payable'
      WHERE b.status = 'DRAFT' AND b.type = 'BILLET' AND t.errors IS NULL AND t.payable_until < ${today}::date
        AND coalesce(greatest(t.payment_date, ${today}::date) <= (l.registered ->> 'limitDate')::date, true)
    `.execute(tx),
  );
  for (const draft of rows)
    await lookUpDraft(parts, draft).catch((error: unknown) =>
      parts.log.error({ err: error, ...draft }, "pricing a draft anew"),
    );
}
