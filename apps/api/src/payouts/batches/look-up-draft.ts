/** Runs the job `ask-lookups`: looks up the keys and boletos of a draft, then applies the prices. */
import { saoPauloDate } from "@malote/domain/calendar";
import type { Services } from "../../platform/services.ts";
import { listDraftsPricedForAnotherDay } from "../boletos/store.ts";
import { askForDraft } from "../lookups/ask-for-draft.ts";
import { repriceDraft } from "./reprice.ts";

export async function lookUpDraft(
  services: Services,
  draft: { companyId: string; batchId: string },
): Promise<void> {
  await askForDraft(services, draft);
  await repriceDraft(services, draft);
}

/**
 * Looks up drafts of boletos again whose prices are those of a past day. Leaves out boletos that are no longer payable,
 * because they have no other price.
 */
export async function lookUpOldDrafts(services: Services): Promise<void> {
  const today = saoPauloDate(services.clock.now());
  const drafts = await services.db.withSystem((tx) => listDraftsPricedForAnotherDay(tx, today));
  for (const draft of drafts)
    await lookUpDraft(services, draft).catch((error: unknown) =>
      services.log.error({ err: error, ...draft }, "cannot look up the payments of a draft"),
    );
}
