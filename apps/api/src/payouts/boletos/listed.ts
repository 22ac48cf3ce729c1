/** List definition of boletos. */
import type { Boleto } from "@malote/contracts/boletos";
import { findBankByIspb } from "@malote/domain/banks";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import { parseBrl } from "@malote/domain/money";
import { type RawBuilder, sql } from "kysely";
import { contains } from "../../platform/db/contains.ts";
import type { ListedKind } from "../lists/kind.ts";
import { type BoletoCheckFacts, readBoletoFacts } from "./facts.ts";
import { boletoOf } from "./present.ts";
import { type BoletoRow, listBoletosById } from "./store.ts";

/** Minimum number of digits that are searched in the code; fewer match texts only. */
const codeStretchMin = 5;

/**
 * Matches the description, the integration id, the value or a part of the code, typed as a digitable line or as the
 * barcode.
 */
function holds(search: string, now: Date): RawBuilder<unknown> {
  const digits = /^[\d\s.-]+$/.test(search) ? search.replace(/\D/g, "") : "";
  const code = readBoletoCode(search, saoPauloDate(now))?.barcode ?? digits;
  return sql`(${contains(sql`fold_text(coalesce(t.description, ''))`, search)}
    OR ${contains(sql`fold_text(coalesce(t.integration_id, ''))`, search)}
    OR (${code.length >= codeStretchMin}::boolean AND t.barcode LIKE ${`%${code}%`})
    OR t.value = ${parseBrl(search) ?? null}::bigint)`;
}

export const boletoKind: ListedKind<BoletoRow, BoletoCheckFacts, Boleto> = {
  type: "BILLET",
  readFacts: readBoletoFacts,
  rowsById: listBoletosById,
  shown: boletoOf,
  heldInBatch: holds,
  /** BIL-030 requires code, value or batch; the description and the integration id match too. */
  heldOverAll: (search, now) => sql`(${contains(sql`b.search_text`, search)} OR ${holds(search, now)})`,
  /** A boleto names its bank by the first three digits; a concessionaire's boleto, which starts with 8, names none. */
  ofBank(ispb) {
    const code = findBankByIspb(ispb)?.code;
    return code ? sql`t.barcode LIKE ${`${code}%`} AND t.barcode NOT LIKE '8%'` : sql`false`;
  },
  countsAsFailed: sql`false`,
};
