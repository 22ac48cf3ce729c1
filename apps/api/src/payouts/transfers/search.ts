/**
 * Search for payments by their receiver. The hidden part of a sent payment's CPF cannot be searched, or a search would
 * reveal it digit by digit: its document, and a key that is one, match as a whole or by the visible digits (decision
 * 0010).
 */
import { statusesCorrectable } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import { contains, shownOf } from "../../platform/db/contains.ts";
import { statusIn } from "../../platform/db/status-in.ts";

/**
 * Condition for rows that `transferOf` masks: drafts and failed payments stay whole, because a person may have to
 * correct them.
 */
const isMasked = sql`t.status NOT IN ${statusIn(statusesCorrectable)}`;

/**
 * Matches the search text. Only a text with a digit can match a hidden one, so the few rows that match are compared
 * again without the hidden part.
 */
function textHolds(search: string): RawBuilder<unknown> {
  const found = contains(sql`t.search_text`, search);
  if (!/\d/.test(search)) return found;
  return sql`(${found} AND (NOT (${isMasked} AND t.pix_key_type = 'CPF')
    OR ${contains(shownOf(sql`t.search_text`), search)}))`;
}

/**
 * Matches a document from its beginning, or a masked CPF by a part of its six visible digits; both match as a whole.
 */
function documentIs(number: string): RawBuilder<unknown> {
  if (!/^\d+$/.test(number)) return sql`t.tax_id LIKE ${`${number}%`}`;
  return sql`(t.tax_id = ${number}
    OR t.pix_key_type = 'CPF' AND (t.pix_key = ${number} OR strpos(substr(t.pix_key, 4, 6), ${number}) > 0)
    OR CASE WHEN ${isMasked} AND length(t.tax_id) = 11 THEN strpos(substr(t.tax_id, 4, 6), ${number}) > 0
      ELSE t.tax_id LIKE ${`${number}%`} END)`;
}

/** Matches the name, key, integration id or document of a row of `transfers t`. */
export function receiverHolds(search: string): RawBuilder<unknown> {
  const number = search.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  return number === "" ? textHolds(search) : sql`(${textHolds(search)} OR ${documentIs(number)})`;
}
