/** A billet as it will be stored, with everything there is to say against it. */
import { type BilletDraft, type BilletFacts, checkBillet, normaliseBillet } from "@malote/domain/billet";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { maxCentsFor } from "@malote/domain/limits";
import { readCompany } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { BilletToWrite } from "./store.ts";

/** Whether a billet was registered before is asked of each one, and changes with others: it is never stored. */
export type Facts = Omit<BilletFacts, "isDuplicated">;

export async function readFacts(tx: Tx, now: Date): Promise<Facts> {
  const { settings } = await readCompany(tx);
  return {
    today: saoPauloDate(now),
    now: saoPauloTime(now),
    maxCents: maxCentsFor("BILLET", settings.accountLimits),
  };
}

export function prepare(id: string, given: BilletDraft, facts: Facts): BilletToWrite {
  const draft = normaliseBillet(given, facts.today);
  return { id, draft, ...checkBillet(draft, { ...facts, isDuplicated: false }) };
}
