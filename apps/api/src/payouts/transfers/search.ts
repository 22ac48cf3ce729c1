/**
 * Finding payments by whom they go to. What a sent payment hides of a CPF is not found in parts either, or a search would reveal
 * it digit by digit: its document and a key of it are found whole, or by the digits that are shown (decision 0010).
 */
import { statusesCorrectable } from "@malote/domain/transfer-status";
import { type RawBuilder, sql } from "kysely";
import { contains, shownOf } from "../../platform/db/contains.ts";
import { statusIn } from "../../platform/db/status-in.ts";

/** As `transferOf` shows it: drafts and failed payments are whole, a person may have to correct them. */
const isMasked = sql`t.status NOT IN ${statusIn(statusesCorrectable)}`;

/** Only what holds a digit can find a hidden one, and then the few rows it found are asked again without what is hidden. */
function textHolds(search: string): RawBuilder<unknown> {
  const found = contains(sql`t.search_text`, search);
  if (!/\d/.test(search)) return found;
  return sql`(${found} AND (NOT (${isMasked} AND t.pix_key_type = 'CPF')
    OR ${contains(shownOf(sql`t.search_text`), search)}))`;
}

/** A document from its beginning on, a masked CPF by a part of the six digits that a mask shows; either as a whole. */
function documentIs(number: string): RawBuilder<unknown> {
  if (!/^\d+$/.test(number)) return sql`t.tax_id LIKE ${`${number}%`}`;
  return sql`(t.tax_id = ${number}
    OR t.pix_key_type = 'CPF' AND (t.pix_key = ${number} OR strpos(substr(t.pix_key, 4, 6), ${number}) > 0)
    OR CASE WHEN ${isMasked} AND length(t.tax_id) = 11 THEN strpos(substr(t.tax_id, 4, 6), ${number}) > 0
      ELSE t.tax_id LIKE ${`${number}%`} END)`;
}

/** Name, key, integration id or document of a row of `transfers t`. */
export function receiverHolds(search: string): RawBuilder<unknown> {
  const number = search.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  return number === "" ? textHolds(search) : sql`(${textHolds(search)} OR ${documentIs(number)})`;
}
