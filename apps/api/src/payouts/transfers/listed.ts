/** List definition of transfers. */
import type { ListedTransfer } from "@malote/contracts/transfers";
import { parseBrl } from "@malote/domain/money";
import { type RawBuilder, sql } from "kysely";
import { contains } from "../../platform/db/contains.ts";
import { sqlDestination } from "../column-lists.ts";
import type { ListedKind } from "../lists/kind.ts";
import { readTransferFacts, type TransferCheckFacts } from "./facts.ts";
import { transferOf } from "./present.ts";
import { receiverHolds } from "./search.ts";
import { type ListedRow, listTransfersById } from "./store.ts";

/** Matches a number typed with or without its check digit. */
const isNumber = (number: RawBuilder<unknown>, digit: RawBuilder<unknown>, typed: string) =>
  sql`(${number} = ${typed} OR ${number} || coalesce(${digit}, '') = ${typed})`;

export const transferKind: ListedKind<ListedRow, TransferCheckFacts, ListedTransfer> = {
  type: "TRANSFER",
  readFacts: readTransferFacts,
  rowsById: listTransfersById,
  shown: (row, facts) => ({
    ...transferOf(row, facts),
    Batch: { id: row.batch_id, name: row.batch_name },
  }),
  heldInBatch(search) {
    const number = search.replace(/[^0-9A-Za-z]/g, "");
    return sql`(${receiverHolds(search)} OR (${number} <> '' AND t.account = ${number})
      OR t.value = ${parseBrl(search) ?? null}::bigint)`;
  },
  /** Matches agency, account, value or batch (TRF-049), and the texts by which a person knows the receiver. */
  heldOverAll(search) {
    const number = search.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
    return sql`(${contains(sql`b.search_text`, search)} OR ${receiverHolds(search)}
      OR (${number} <> '' AND (${isNumber(sql`t.agency`, sql`t.agency_digit`, number)}
        OR ${isNumber(sql`t.account`, sql`t.account_digit`, number)}))
      OR t.value = ${parseBrl(search) ?? null}::bigint)`;
  },
  ofBank: (ispb) => sql`t.bank_ispb = ${ispb}`,
  /** A draft payment counts as failed when the last payment to its receiver failed (TRF-010). */
  countsAsFailed: sql`(t.status = 'CREATED'
    AND ${sqlDestination} IN (
      SELECT r.destination FROM receivers r WHERE r.company_id = t.company_id AND r.status = 'FAILED'))`,
};
