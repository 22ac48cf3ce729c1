/** The same orders for two runs, whose events may then differ only in the time and number of their deliveries. */
import { sql } from "kysely";
import type { Tx } from "../../apps/api/src/platform/db/database.ts";
import { uuidv7 } from "../../apps/api/src/platform/uuid.ts";
import type { RailEvent } from "../../apps/api/src/ports/rails.ts";
import { auroraId, auroraKey, closing, type PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";
import { receivePix } from "../../apps/api/src/testing/received-money.ts";
import type { Chance } from "../chance.ts";

interface Order {
  id: string;
  batch_id: string;
  position: number;
  value: number;
  method: "PIX" | "TED";
  /** The receiver's document, which determines the network's outcome. */
  tax_id: string | null;
  pix_key: string | null;
}

export interface Orders {
  payments: readonly Order[];
  batchIds: readonly string[];
  /** Pix received while the payments go out. */
  deposits: readonly { endToEndId: string; value: number }[];
}

/** Two in three payments are TEDs, which have two reports each; this gives the number of events. */
const eventsPerPayment = 5 / 3;
const batchSizeMax = 500;
const fails = { taxId: "78493353094", pixKey: "chave.pix15@exemplo.com.br" };
const comesBack = "61420738526";
const arrives = { taxId: "11222333000181", pixKey: "maria@exemplo.com.br" };

export function makeOrders(events: number, chance: Chance): Orders {
  const payments = Math.ceil(events / eventsPerPayment);
  const batchIds = Array.from({ length: Math.max(3, Math.ceil(payments / batchSizeMax)) }, () => uuidv7());
  return {
    batchIds,
    payments: Array.from({ length: payments }, (_, index) => {
      const isTed = chance.happens(67);
      const fate = chance.between(1, 100);
      const failing = fate <= 10;
      return {
        id: uuidv7(),
        batch_id: batchIds[index % batchIds.length] ?? "",
        position: index + 1,
        value: chance.between(1, 5_000_00),
        method: isTed ? ("TED" as const) : ("PIX" as const),
        tax_id: isTed ? (failing ? fails.taxId : fate <= 25 ? comesBack : arrives.taxId) : null,
        pix_key: isTed ? null : failing ? fails.pixKey : arrives.pixKey,
      };
    }),
    deposits: Array.from({ length: Math.ceil(events / 100) }, (_, index) => ({
      endToEndId: `E88888801202608121300${String(index).padStart(11, "0")}`,
      value: chance.between(1, 10_000_00),
    })),
  };
}

/** Hands all orders over without delivering anything. Returns the events that the network will deliver. */
export async function handOver(
  kit: PaymentsKit,
  { payments, batchIds, deposits }: Orders,
): Promise<RailEvent[]> {
  const now = kit.clock.now();
  await kit.services.db.withCompany(auroraId, (tx) => makeDrafts(tx, now, payments));
  for (const id of batchIds) {
    const answer = await closing(kit.admin, id);
    if (!answer.body.is_batch_paid) throw new Error(JSON.stringify(answer.body));
  }
  await kit.drainJobs();
  for (const { endToEndId, value } of deposits) {
    await kit.network.depositPix({ pixKey: auroraKey, value, endToEndId });
  }
  const { rows } = await kit.services.db.withSandbox((tx) =>
    sql<{ payload: RailEvent }>`SELECT payload FROM sandbox.events ORDER BY id`.execute(tx),
  );
  return rows.map((row) => row.payload);
}

async function makeDrafts(tx: Tx, now: Date, payments: readonly Order[]): Promise<void> {
  const total = payments.reduce((sum, { value }) => sum + value, 0);
  // One id in every run, because the books of two runs are compared.
  await receivePix(tx, now, [total], ["01990000-0000-7000-8000-00000000f127"]);
  const given = sql`jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) AS p (
    id uuid, batch_id uuid, position int, value bigint, method text, tax_id text, pix_key text)`;
  await sql`
    INSERT INTO batches (company_id, id, name, type, status, value, payments_count, created_at, created_by_name)
    SELECT ${tx.companyId}::uuid, batch_id, 'Lote', 'TRANSFER', 'DRAFT', sum(value), count(*), ${now}::timestamptz, 'Rui Tavares'
    FROM ${given} GROUP BY batch_id
  `.execute(tx);
  await sql`
    INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, integration_id, name, tax_id,
      pix_key_type, pix_key, bank_ispb, agency, account, account_digit, account_type, created_at)
    SELECT ${tx.companyId}::uuid, id, batch_id, position, 'CREATED', value, method, id::text, 'Padaria Sol Nascente', tax_id,
      CASE WHEN method = 'PIX' THEN 'EMAIL' END, pix_key, CASE WHEN method = 'TED' THEN '60701190' END,
      CASE WHEN method = 'TED' THEN '1234' END, CASE WHEN method = 'TED' THEN '56789' END,
      CASE WHEN method = 'TED' THEN '7' END, CASE WHEN method = 'TED' THEN 'CONTA_CORRENTE' END, ${now}::timestamptz
    FROM ${given}
  `.execute(tx);
}
