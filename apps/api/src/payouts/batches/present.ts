import type { Batch } from "@malote/contracts/batches";
import { instantOrNull } from "@malote/contracts/wire";
import { ownInstitution } from "@malote/domain/own-institution";
import type { BatchRow } from "./store.ts";

export function batchOf(row: BatchRow): Batch {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: row.status,
    value: row.value,
    created_at: row.created_at.toISOString(),
    created_by: { id: row.created_by, name: row.created_by_name },
    received_date: instantOrNull(row.received_date),
    finish_date: instantOrNull(row.finish_date),
    returned_date: instantOrNull(row.returned_date),
    reconciled: row.reconciled,
    cancel_requested_at: instantOrNull(row.cancel_requested_at),
    is_canceled: row.is_canceled,
    was_imported: row.was_imported,
    has_failed_or_returned_transfers: row.failed_count + row.returned_count > 0,
    received_bank_account: row.received_at && { bank: ownInstitution().name, ...row.received_at },
    spreadsheet_file_name: row.spreadsheet_file_name,
    sheet_id: row.sheet_id,
    revision: row.revision,
    payments_count: row.payments_count,
    errors_count: row.errors_count,
    paid_count: row.paid_count,
    failed_count: row.failed_count,
    returned_count: row.returned_count,
    reprove_reason: row.reprove_reason,
    sent_back_by: row.sent_back_by,
    waiting_reason: row.waiting_reason,
  };
}

/** Returns the facts of a batch for the payload of an event: the row may change before the event is handled. */
export const batchSnapshot = ({
  name,
  payments_count,
  value,
}: Pick<BatchRow, "name" | "payments_count" | "value">) => ({
  name,
  payments: payments_count,
  amount: value,
});
