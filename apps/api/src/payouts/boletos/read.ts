/** Read calls for the boletos of a batch, over all batches, and for one boleto. */
import type * as contracts from "@malote/contracts/boletos";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { Issue } from "@malote/domain/issues";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { PageStatus } from "../lists/by-period-store.ts";
import { readPayment } from "../lists/kind.ts";
import { listOfBatch, listOverAll, listReceiptsOverAll } from "../lists/lists.ts";
import { type BatchFilter, requireListedBatch } from "../lists/store.ts";
import { readDayFacts } from "../rules/day-facts.ts";
import { readBoletoFacts } from "./facts.ts";
import { boletoKind } from "./listed.ts";
import { boletoOf } from "./present.ts";
import { draftOf, findBatchOfCode, findWrongBoletos } from "./store.ts";

/** Statuses of boletos under their names for transfers. */
const statuses = {
  CREATED: "CREATED",
  SCHEDULED: "SCHEDULED",
  EXECUTING: "RECEIVED",
  PAID: "TRANSFERRED",
  FAILED: "FAILED",
  RETURNED: "RETURNED",
} as const satisfies Record<contracts.BoletoPageFilter, PageStatus>;

const batchStatuses = {
  ...statuses,
  WITH_ERRORS: "WITH_ERRORS",
  WITH_WARNINGS: "WITH_WARNINGS",
} as const satisfies Record<(typeof contracts.boletoFilters)[number], BatchFilter>;

/** Returns a page of the boletos of a batch (BAT-042). */
export async function listBoletos(tx: Tx, { params, query, now }: Call<typeof contracts.listBoletos>) {
  const batch = await requireListedBatch(tx, params.id, ["BILLET"], now);
  const status = query.status && batchStatuses[query.status];
  return listOfBatch(tx, boletoKind, batch, { ...query, status }, now);
}

export const listAllBoletos = (tx: Tx, { query, now }: Call<typeof contracts.listAllBoletos>) =>
  listOverAll(tx, boletoKind, { ...query, status: query.status && statuses[query.status] }, now);

export const listBoletosWithReceipts = (
  tx: Tx,
  { query, now }: Call<typeof contracts.listBoletosWithReceipts>,
) => listReceiptsOverAll(tx, boletoKind, { ...query, status: query.status && statuses[query.status] }, now);

export const readBoleto = (tx: Tx, id: string, now: Date) => readPayment(tx, boletoKind, id, now);

/** Returns the wrong rows of a draft with their issues under the current rules. */
export async function listWrongBoletos(tx: Tx, batchId: string, now: Date) {
  const [facts, dayFacts] = await Promise.all([readBoletoFacts(tx, now), readDayFacts(tx, now)]);
  const rows = await findWrongBoletos(tx, batchId, dayFacts);
  return rows.map((row) => ({
    cells: row.sheet_cells,
    draft: draftOf(row),
    errors: boletoOf(row, facts).errors as Issue[],
  }));
}

/** Returns the batch of another payment with this code (BIL-013). A code that cannot be read is no duplicate. */
export async function readDuplicatedCode(
  tx: Tx,
  { query, now }: Call<typeof contracts.readDuplicatedBoleto>,
) {
  const code = readBoletoCode(query.barcode, saoPauloDate(now));
  const batch = code && (await findBatchOfCode(tx, code.barcode, query.id));
  return { isDuplicated: batch !== undefined, batch: batch ?? null };
}
