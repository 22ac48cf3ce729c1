/**
 * The product with batches of every kind, whose texts are changed below the checks, so that only the drawing of the
 * screens is tested.
 */

import type { AddressInfo } from "node:net";
import { createBatch } from "@malote/contracts/batches";
import { importSheet } from "@malote/contracts/import";
import { buildApp } from "../../apps/api/src/app.ts";
import { upload } from "../../apps/api/src/testing/import-kit.ts";
import { openPayments, type PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";

/** Payments that a screen shows at once, which is the number of payloads tested together. */
export const together = 50;

export interface PoisonedPayments {
  kit: PaymentsKit;
  url: string;
  /** Addresses of the batches that show payments. */
  batches: string[];
  sheet: string;
  poison(payloads: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export async function poisonedPayments(): Promise<PoisonedPayments> {
  // A browser has its own clock, and accepts no token of another day.
  const kit = await openPayments({ start: new Date() });
  const app = await buildApp(kit.services, kit.sandbox, { accepting: true });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const draft = await filledBatch(kit);
  const paid = await filledBatch(kit);
  const waiting = await filledBatch(kit);
  for (let n = 0; n < together; n++) await kit.operator.call(createBatch, { body: { name: `Lote ${n}` } });
  await kit.deposit(100);
  const sheetId = (await upload(kit.operator, "a;b\n1;2")).body.id;
  await kit.operator.call(importSheet, { body: { sheet_id: sheetId } });
  await kit.drainJobs();
  // Other proofs cover how payments reach these states.
  await asOwner(kit, [
    [
      "UPDATE transfers SET status = 'FAILED', status_description = 'x', failed_date = now() WHERE batch_id = $1",
      [paid],
    ],
    [
      "UPDATE batches SET status = 'RECEIVED', closed_at = created_at, failed_count = payments_count WHERE id = $1",
      [paid],
    ],
    [
      "UPDATE batches SET status = 'WAITING', closed_at = created_at, waiting_since = created_at WHERE id = $1",
      [waiting],
    ],
    [
      `UPDATE transfers SET errors = '[{"code":"name_invalid","field":"name"}]', sheet_row = 1 WHERE batch_id = $1`,
      [draft],
    ],
    [
      "UPDATE batches SET errors_count = payments_count, was_imported = true, spreadsheet_file_name = 'x' WHERE id = $1",
      [draft],
    ],
  ]);
  return {
    kit,
    url: `http://127.0.0.1:${port}`,
    batches: [draft, paid, waiting],
    sheet: sheetId,
    poison: (payloads) => poison(kit, payloads),
    async close() {
      await app.close();
      await kit.server.close();
      await kit.services.db.close();
    },
  };
}

async function filledBatch({ operator }: PaymentsKit): Promise<string> {
  const items = Array.from({ length: together }, (_, n) => ({
    value: 100 + n,
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: `p${n}@exemplo.com.br`, name: `Pessoa ${n}` },
  }));
  const made = await operator.call(importSheet, { body: { name: "Folha", items } });
  if (!made.body.batch_id) throw new Error(JSON.stringify(made.body));
  return made.body.batch_id;
}

/** Gives every row its own payload, in all of its texts. */
function poison(kit: PaymentsKit, payloads: readonly string[]): Promise<void> {
  const numbered = (table: string) =>
    `(SELECT ctid AS place, (row_number() OVER (ORDER BY id) - 1) % cardinality($1::text[]) + 1 AS n FROM ${table})`;
  const given = "($1::text[])[r.n]";
  return asOwner(kit, [
    [
      `UPDATE transfers t SET name = ${given}, pix_description = ${given}, integration_id = ${given}, email = ${given},
         pix_key = ${given}, agency = ${given}, account = ${given}, tax_id = ${given},
         status_description = CASE WHEN status_description IS NULL THEN NULL ELSE ${given} END,
         errors = CASE WHEN errors IS NULL THEN NULL
           ELSE jsonb_build_array(jsonb_build_object('code', 'name_invalid', 'field', 'name', 'given', ${given})) END,
         sheet_cells = json_build_object('Nome', ${given}, ${given}, ${given})
       FROM ${numbered("transfers")} r WHERE t.ctid = r.place`,
      [payloads],
    ],
    ["DELETE FROM payment_days", []],
    // The reasons of failures come from outside too.
    [
      `INSERT INTO payment_days (company_id, day, status, bank_ispb, reason, payments)
       SELECT company_id, (counted ->> 'day')::date, counted ->> 'status', counted ->> 'bank', counted ->> 'reason', count(*)
       FROM (SELECT company_id, counted_as(t) AS counted FROM transfers t) made
       WHERE counted IS NOT NULL GROUP BY 1, 2, 3, 4, 5`,
      [],
    ],
    [
      `UPDATE batches b SET name = left(${given}, 200), created_by_name = ${given}, reprove_reason = left(${given}, 255),
         spreadsheet_file_name = ${given}
       FROM ${numbered("batches")} r WHERE b.ctid = r.place`,
      [payloads],
    ],
    [
      `UPDATE sheets s SET file_name = ${given}, uploaded_by_name = ${given},
         refusal = CASE WHEN refusal IS NULL THEN NULL ELSE jsonb_set(refusal, '{message}', to_jsonb(${given})) END
       FROM ${numbered("sheets")} r WHERE s.ctid = r.place`,
      [payloads],
    ],
    [
      `UPDATE ledger_transactions l SET description = ${given},
         complement = (SELECT coalesce(jsonb_object_agg(key, CASE WHEN jsonb_typeof(value) = 'string' THEN to_jsonb(${given}) ELSE value END), '{}') FROM jsonb_each(complement))
       FROM ${numbered("ledger_transactions")} r WHERE l.ctid = r.place`,
      [payloads],
    ],
  ]);
}

/**
 * Runs statements as the owner of the tables, who can disable for a moment the trigger that refuses changes of the
 * ledger by any role.
 */
async function asOwner({ services }: PaymentsKit, statements: readonly [string, unknown[]][]): Promise<void> {
  const client = await services.db.pool.connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = replica");
    for (const [text, values] of statements) await client.query(text, values);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
