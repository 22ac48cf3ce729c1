/** Boleto as it will be stored, with all its issues. */
import {
  type BoletoDraft,
  type BoletoFacts,
  checkBoleto,
  normaliseBoleto,
  type Register,
} from "@malote/domain/boleto";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { maxCentsFor } from "@malote/domain/limits";
import { suspendedMethods } from "@malote/domain/suspended-functions";
import { readCompany } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { registerOf } from "../lookups/ask-boletos.ts";
import { readBoletoLookups } from "../lookups/store.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import type { BoletoToWrite } from "./store.ts";

/**
 * Facts for the rules of boletos. A duplicate depends on other payments, so it is evaluated on each read and never
 * stored.
 */
export type BoletoCheckFacts = Omit<BoletoFacts, "isDuplicated" | "register"> & Pick<DayFacts, "suspended">;

export async function readBoletoFacts(tx: Tx, now: Date): Promise<BoletoCheckFacts> {
  const { settings, permissions } = await readCompany(tx);
  return {
    today: saoPauloDate(now),
    now: saoPauloTime(now),
    suspended: suspendedMethods(permissions),
    maxCents: maxCentsFor("BILLET", settings.accountLimits),
  };
}

/** Returns a function that finds the register's last answer for one of these codes. */
export async function readRegisters(
  tx: Tx,
  codes: readonly (string | null)[],
  today: BoletoCheckFacts["today"],
): Promise<(code: string | null) => Register | undefined> {
  const barcodeOf = (code: string | null) => (code ? readBoletoCode(code, today)?.barcode : undefined);
  const barcodes = codes.flatMap((code) => barcodeOf(code) ?? []);
  const known = barcodes.length > 0 ? await readBoletoLookups(tx, barcodes) : undefined;
  return (code) => registerOf(known?.get(barcodeOf(code) ?? ""));
}

export function prepareBoleto(
  id: string,
  given: BoletoDraft,
  facts: BoletoCheckFacts,
  register: Register | undefined,
): BoletoToWrite {
  const registerCheck = { ...facts, register };
  const draft = normaliseBoleto(given, facts.today, registerCheck);
  return { id, draft, register, ...checkBoleto(draft, { ...registerCheck, isDuplicated: false }) };
}
