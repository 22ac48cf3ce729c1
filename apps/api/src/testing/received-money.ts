/** Money that came in by Pix, with its payins, for tests and proofs that need a balance and no network. */
import { sql } from "kysely";
import { post } from "../ledger/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";

/** Posts received Pix of these amounts, each with a payin that may be refunded; returns the payins' ids. */
export async function receivePix(
  tx: Tx,
  now: Date,
  amounts: readonly number[],
  ids: readonly string[] = amounts.map(() => uuidv7()),
): Promise<readonly string[]> {
  const posted = await post(
    tx,
    now,
    ids.map((id, index) => ({
      type: "DEPOSIT" as const,
      cause: `pix:E${id}`,
      from: "pix_in" as const,
      to: "available" as const,
      amount: amounts[index] ?? 0,
      description: "Pix recebido",
    })),
  );
  if (!posted) throw new Error("a posting of incoming money was refused");
  await sql`
    INSERT INTO payins (company_id, id, status, payment_type, amount, received_amount, end_to_end_id, posting_cause, created_at,
      updated_at, received_at, refund_expires_at)
    SELECT ${tx.companyId}, m.id, 'received', 'pix_key', m.value, m.value, 'E' || m.id, 'pix:E' || m.id, ${now}, ${now}, ${now},
      ${now}::timestamptz + interval '90 days'
    FROM unnest(${[...ids]}::uuid[], ${[...amounts]}::bigint[]) AS m (id, value)
  `.execute(tx);
  return ids;
}
