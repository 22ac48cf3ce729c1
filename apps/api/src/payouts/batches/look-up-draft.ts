/** The job `ask-lookups`: what the outside knows of a draft is asked, and what that changes is written. */
import { saoPauloDate } from "@malote/domain/calendar";
import type { Services } from "../../platform/services.ts";
import { draftsPricedForAnotherDay } from "../boletos/store.ts";
import { askForDraft } from "../lookups/ask-for-draft.ts";
import { repriceDraft } from "./reprice.ts";

export async function lookUpDraft(
  services: Services,
  draft: { companyId: string; batchId: string },
): Promise<void> {
  await askForDraft(services, draft);
  await repriceDraft(services, draft);
}

/** Drafts of boletos whose prices are those of a day that has passed. One that is not taken any more has no other price. */
export async function lookUpOldDrafts(services: Services): Promise<void> {
  const today = saoPauloDate(services.clock.now());
  const drafts = await services.db.withSystem((tx) => draftsPricedForAnotherDay(tx, today));
  for (const draft of drafts)
    await lookUpDraft(services, draft).catch((error: unknown) =>
      services.log.error({ err: error, ...draft }, "pricing a draft again"),
    );
}
