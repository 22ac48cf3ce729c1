/** The receivables of card sales: the list and its totals. Payins create and settle them. */
import type * as contracts from "@malote/contracts/card-receivables";
import { countedMax } from "@malote/domain/limits";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { countMatching, listPage, type ReceivableRow, sumByStatus } from "./list-store.ts";

/** CRD-001: requires the company setting; the contract's policy checks only the flag `card-charge`. */
export async function requireCardCharge(tx: Tx): Promise<void> {
  const { settings } = await readCompany(tx);
  if (!settings.hasCardCharge) throw new AppError("forbidden");
}

const receivableOf = (row: ReceivableRow): contracts.Receivable => ({
  id: row.id,
  status: row.status,
  transaction: {
    date: row.sold_at.toISOString(),
    installments: row.installments,
    installment: row.installment,
  },
  receive_date: row.receive_date,
  expected_receive_date: row.expected_receive_date,
  authorization_code: row.authorization_code,
  gross_amount: row.gross_amount,
  net_amount: row.net_amount,
});

/** Lists up to the counted maximum; a period or a status finds older receivables. */
export async function listReceivables(tx: Tx, { query }: Call<typeof contracts.listReceivables>) {
  await requireCardCharge(tx);
  const { page, page_size: size } = query;
  const [rows, totalItems] = await Promise.all([
    listPage(tx, query, {
      limit: Math.min(size, Math.max(0, countedMax - page * size)),
      offset: Math.min(page * size, countedMax),
    }),
    countMatching(tx, query, countedMax),
  ]);
  return {
    items: rows.map(receivableOf),
    metadata: { pagination: { itemsPerPage: size, totalItems } },
  };
}

export async function readTotals(tx: Tx, { query }: Call<typeof contracts.readReceivableTotals>) {
  await requireCardCharge(tx);
  const rows = await sumByStatus(tx, query);
  const of = (status: contracts.ReceivableStatus) => ({
    total_amount: rows.find((row) => row.status === status)?.amount ?? 0,
  });
  return {
    scheduled: of("scheduled"),
    received: of("received"),
    canceled: of("canceled"),
    refunded: of("refunded"),
  };
}
