/** Display name of a Pix payment without a payee name: the name of the key's holder, marked as such. */
import { sql } from "kysely";

/**
 * SQL name of the holder of the key of a payment `t` without a name. Null where the directory answered after the
 * payment was over: the key may have had another holder.
 */
export const sqlKeyHolderName = sql`(
  SELECT k.holder_name FROM key_lookups k
  WHERE t.name IS NULL AND k.company_id = t.company_id AND k.pix_key = t.pix_key AND k.outcome = 'found'
    AND k.asked_at <= coalesce(t.transfer_date, t.returned_date, 'infinity'))`;

const mark = " (titular da chave)";

export const sqlMarkedHolder = sql`${sqlKeyHolderName} || ${sql.lit(mark)}`;

export const markedHolder = (name: string | null): string | null => name && name + mark;
