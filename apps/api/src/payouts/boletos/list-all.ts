/** Boletos over all batches, as 'Seus boletos' shows them. */
import type { BoletoPageFilter, listAllBillets, listBilletsWithReceipts } from "@malote/contracts/boletos";
import { findBankByIspb } from "@malote/domain/banks";
import { pageSize } from "@malote/domain/limits";
import { type RawBuilder, sql } from "kysely";
import { contains } from "../../platform/db/contains.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import {
  filterByStatus,
  type PageStatus,
  type PaymentFilter,
  pageByPeriod,
  paymentsWithReceipts,
} from "../transfers/payments-by-period.ts";
import { readFacts } from "./facts.ts";
import { boletoOf } from "./present.ts";
import { searchCondition } from "./read.ts";
import { boletosById } from "./store.ts";

/** The same payment's status in the words of transfers. */
const statuses: Readonly<Record<BoletoPageFilter, PageStatus>> = {
  CREATED: "CREATED",
  SCHEDULED: "SCHEDULED",
  EXECUTING: "RECEIVED",
  PAID: "TRANSFERRED",
  FAILED: "FAILED",
  RETURNED: "RETURNED",
};

/** A boleto names its bank by the first three digits; one of a concessionaire, which starts with 8, names none. */
function ofBank(ispb: string): RawBuilder<unknown> {
  const code = findBankByIspb(ispb)?.code;
  return code ? sql`t.barcode LIKE ${`${code}%`} AND t.barcode NOT LIKE '8%'` : sql`false`;
}

interface Filter {
  status?: BoletoPageFilter | undefined;
  search?: string | undefined;
  bankId?: string | undefined;
}

/** BIL-030: code, value or batch; and what a person calls it. */
function conditions({ status, search, bankId }: Filter, now: Date): PaymentFilter {
  const conditions = [
    ...(search ? [sql`(${contains(sql`b.search_text`, search)} OR ${searchCondition(search, now)})`] : []),
    ...(bankId ? [ofBank(bankId)] : []),
  ];
  return filterByStatus(
    status && statuses[status],
    conditions.length > 0 ? sql.join(conditions, sql` AND `) : undefined,
  );
}

/** BIL-032. */
export async function listAll(tx: Tx, { query, now }: Call<typeof listAllBillets>) {
  const period = { ...query, type: "BILLET" as const };
  const { ids, count } = await pageByPeriod(tx, period, conditions(query, now), query.page);
  const [facts, rows] = await Promise.all([readFacts(tx, now), boletosById(tx, ids)]);
  const place = new Map(ids.map((id, index) => [id, index]));
  rows.sort((left, right) => (place.get(left.id) ?? 0) - (place.get(right.id) ?? 0));
  return {
    data: rows.map((row) => boletoOf(row, facts)),
    metadata: { pagination: { itemsPerPage: pageSize, totalItems: count } },
  };
}

/** BIL-035. */
export async function listWithReceipts(tx: Tx, { query, now }: Call<typeof listBilletsWithReceipts>) {
  return { data: await paymentsWithReceipts(tx, { ...query, type: "BILLET" }, conditions(query, now)) };
}
