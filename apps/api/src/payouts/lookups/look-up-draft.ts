/** The job `ask-lookups`: what the outside knows of a draft is asked, and what that changes is written. */
import { saoPauloDate } from "@malote/domain/calendar";
import type { Parts } from "../../platform/parts.ts";
import { repriceDraft } from "../boletos/reprice.ts";
import { draftsPricedForAnotherDay } from "../boletos/store.ts";
import { askForDraft } from "./ask-for-draft.ts";

export async function lookUpDraft(
  parts: Parts,
  draft: { companyId: string; batchId: string },
): Promise<void> {
  await askForDraft(parts, draft);
  await repriceDraft(parts, draft);
}

/** Drafts of boletos whose prices are those of a day that has passed. One that is not taken any more has no other price. */
export async function lookUpOldDrafts(parts: Parts): Promise<void> {
  const today = saoPauloDate(parts.clock.now());
  const drafts = await parts.db.withSystem((tx) => draftsPricedForAnotherDay(tx, today));
  for (const draft of drafts)
    await lookUpDraft(parts, draft).catch((error: unknown) =>
      parts.log.error({ err: error, ...draft }, "pricing a draft again"),
    );
}
