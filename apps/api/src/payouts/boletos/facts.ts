/** A billet as it will be stored, with everything there is to say against it. */
import {
  type BilletDraft,
  type BilletFacts,
  checkBillet,
  normaliseBillet,
  type Register,
} from "@malote/domain/billet";
import { readBilletCode } from "@malote/domain/billet-code";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { maxCentsFor } from "@malote/domain/limits";
import { readCompany } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { registerOf } from "../lookups/ask-boletos.ts";
import { billetLookups } from "../lookups/store.ts";
import type { BilletToWrite } from "./store.ts";

/** Whether a billet was registered before is asked of each one, and changes with others: it is never stored. */
export type Facts = Omit<BilletFacts, "isDuplicated" | "register">;

export async function readFacts(tx: Tx, now: Date): Promise<Facts> {
  const { settings } = await readCompany(tx);
  return {
    today: saoPauloDate(now),
    now: saoPauloTime(now),
    maxCents: maxCentsFor("BILLET", settings.accountLimits),
  };
}

/** By barcode, what the register told of these codes when it was asked last. */
export async function readRegisters(
  tx: Tx,
  codes: readonly (string | null)[],
  today: Facts["today"],
): Promise<(code: string | null) => Register | undefined> {
  const barcodeOf = (code: string | null) => (code ? readBilletCode(code, today)?.barcode : undefined);
  const barcodes = codes.flatMap((code) => barcodeOf(code) ?? []);
  const known = barcodes.length > 0 ? await billetLookups(tx, barcodes) : undefined;
  return (code) => registerOf(known?.get(barcodeOf(code) ?? ""));
}

export function prepare(
  id: string,
  given: BilletDraft,
  facts: Facts,
  register: Register | undefined,
): BilletToWrite {
  const asked = { ...facts, register };
  const draft = normaliseBillet(given, facts.today, asked);
  return { id, draft, register, ...checkBillet(draft, { ...asked, isDuplicated: false }) };
}
