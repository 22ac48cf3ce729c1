import type { Batch } from "@malote/contracts/batches";
import type { Boleto } from "@malote/contracts/boletos";
import type { Receiver } from "@malote/contracts/receivers";
import type { Transfer } from "@malote/contracts/transfers";

let made = 0;
export const testId = (number: number) => `0198f000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const nextId = () => {
  made += 1;
  return testId(900_000 + made);
};

/** A valid record; a test sets only the fields it is about. */
export function buildOpenBatch(given: Partial<Batch> = {}): Batch {
  return {
    id: nextId(),
    name: "Folha 11/2026",
    type: "TRANSFER",
    status: "DRAFT",
    value: 12_345,
    created_at: "2026-11-20T19:42:00.000Z",
    created_by: { id: testId(7), name: "Rui Nogueira" },
    received_date: null,
    finish_date: null,
    returned_date: null,
    reconciled: false,
    cancel_requested_at: null,
    is_canceled: false,
    was_imported: false,
    has_failed_or_returned_transfers: false,
    received_bank_account: null,
    spreadsheet_file_name: null,
    sheet_id: null,
    revision: 1,
    payments_count: 1,
    errors_count: 0,
    paid_count: 0,
    failed_count: 0,
    returned_count: 0,
    reprove_reason: null,
    sent_back_by: null,
    waiting_reason: null,
    ...given,
  };
}

type Destination = Transfer["destination_bank_account"];

export function buildTransfer({
  to = {},
  ...given
}: Partial<Transfer> & { to?: Partial<Destination> } = {}): Transfer {
  return {
    id: nextId(),
    batch_id: testId(1),
    value: 12_345,
    integration_id: null,
    payment_method: "PIX",
    pix_description: null,
    payment_date: null,
    destination_bank_account: {
      id: testId(50),
      name: "Marina Lopes",
      cpf_cnpj: "52998224725",
      email: null,
      bank_id: null,
      agency: null,
      agency_digit: null,
      account_type: null,
      account: null,
      account_digit: null,
      pix_key: "marina@exemplo.com",
      pix_key_type: "EMAIL",
      status: null,
      status_description: null,
      Bank: null,
      ...to,
    },
    pix_key_validation: null,
    status: "CREATED",
    status_description: null,
    created_at: "2026-11-20T19:42:00.000Z",
    transfer_date: null,
    returned_date: null,
    end_to_end_id: null,
    refunds: [],
    emv: null,
    emv_data: null,
    bank_receipt_url: null,
    receipt_url: null,
    errors: [],
    warnings: [],
    data_marks: [],
    sheet_row: null,
    sheet_cells: null,
    ...given,
  };
}

export function buildReceiver(given: Partial<Receiver> = {}): Receiver {
  return { ...buildTransfer().destination_bank_account, id: nextId(), status: "VERIFIED", ...given };
}

export function buildBoleto(given: Partial<Boleto> = {}): Boleto {
  return {
    id: nextId(),
    value: 15_000,
    payment_date: null,
    due_date: "2027-02-15",
    barcode: "75694172300000150001432101012345678000012301",
    digitable_line: "75691432120101234567280000123010417230000015000",
    type: "SIMPLE",
    description: "Aluguel de novembro",
    integration_id: null,
    status: "CREATED",
    status_description: null,
    bank: { id: "02038232", code: "756", ispb: "02038232", name: "Sicoob", image: null },
    scheduled_for: null,
    can_cancel: false,
    paid_date: null,
    returned_date: null,
    created_at: "2026-11-20T19:42:00.000Z",
    batch_id: testId(1),
    batch: { id: testId(1), name: "Contas da semana" },
    receipt_url: null,
    bank_receipt_url: null,
    register: null,
    errors: [],
    warnings: [],
    data_marks: [],
    ...given,
  };
}
