/** Conversion between rows and wire shapes. */

import { bases } from "@malote/contracts/contract";
import { downloadBankReceipt, downloadReceipt } from "@malote/contracts/receipts";
import type { DestinationInput, Transfer, TransferInput } from "@malote/contracts/transfers";
import { instantOrNull } from "@malote/contracts/wire";
import { accountTypes } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import type { Issue } from "@malote/domain/issues";
import { statusesCorrectable } from "@malote/domain/payment-status";
import type { PixCharge } from "@malote/domain/pix-charge";
import { maskPixKey, pixKeyTypes } from "@malote/domain/pix-key";
import { hasReceipt } from "@malote/domain/receipt";
import { suspensionIssue } from "@malote/domain/suspended-functions";
import { maskTaxId } from "@malote/domain/tax-id";
import { checkTransfer, type Destination, type TransferDraft } from "@malote/domain/transfer";
import { bankOnWire } from "../../company/index.ts";
import type { ReadCharges } from "../lookups/ask-codes.ts";
import type { TransferCheckFacts } from "./facts.ts";
import { draftOf, type TransferRow } from "./store.ts";

/** Issues that depend on the hour: the current ones always replace the stored ones. */
export const hourCodes: ReadonlySet<Issue["code"]> = new Set([
  "payment_date_expired",
  "payment_time_expired",
  "ted_next_business_day",
  "qr_expired",
  "qr_expired_by_then",
]);
/** Issues that may arise after the row was written: a blocked document, a lowered limit. */
const laterCodes = new Set<Issue["code"]>(["tax_id_blocked", "value_above_max"]);

/** Returns the current issues of a draft; a sent payment has none. */
function issuesNow(row: TransferRow, facts: TransferCheckFacts): { errors: Issue[]; warnings: Issue[] } {
  if (row.status !== "CREATED") return { errors: [], warnings: [] };
  const now = checkTransfer(draftOf(row), facts);
  const merged = (stored: Issue[] | null, fresh: Issue[]) => {
    const kept = (stored ?? []).filter((issue) => !hourCodes.has(issue.code));
    const isKept = ({ code, field }: Issue) =>
      kept.some((issue) => issue.code === code && issue.field === field);
    const added = fresh.filter(
      (issue) => hourCodes.has(issue.code) || (laterCodes.has(issue.code) && !isKept(issue)),
    );
    return [...kept, ...added];
  };
  const errors = merged(row.errors, now.errors);
  // The holder of the key is usually the blocked document that the payment names, so one issue suffices.
  if (row.is_holder_blocked && !errors.some(({ code }) => code === "tax_id_blocked"))
    errors.push({ code: "tax_id_blocked", field: "pix_key" });
  if (row.is_duplicated_code) errors.push({ code: "qr_duplicated", field: "emv" });
  const suspension = suspensionIssue(row.payment_method, facts.suspended);
  if (suspension) errors.push(suspension);
  return { errors, warnings: merged(row.warnings, now.warnings) };
}

export function bankOf(ispb: string | null): Transfer["destination_bank_account"]["Bank"] {
  const bank = ispb === null ? undefined : findBankByIspb(ispb);
  return bank ? bankOnWire(bank) : null;
}

/**
 * Returns the type of key; null for a type that does not exist, which a sheet may name. The issue about the key
 * explains it.
 */
export const knownKeyType = (text: string | null) => pixKeyTypes.find((type) => type === text) ?? null;

/** Returns an address that answers only with the session's own token, like every other call (TRF-056). */
export const bankReceiptAddress = (id: string) =>
  bases.payments + downloadBankReceipt.path.replace(":id", id);
const receiptAddress = (id: string) => bases.payments + downloadReceipt.path.replace(":id", id);

export function transferOf(row: TransferRow, facts: TransferCheckFacts): Transfer {
  const isSent = !statusesCorrectable.some((status) => status === row.status);
  // The document is whole while a person may have to correct it; once sent, a stranger's CPF is masked, as at every
  // bank.
  const shown = (taxId: string | null) => (taxId !== null && isSent ? maskTaxId(taxId) : taxId);
  return {
    id: row.id,
    batch_id: row.batch_id,
    value: row.value,
    integration_id: row.integration_id,
    payment_method: row.payment_method,
    pix_description: row.pix_description,
    payment_date: row.payment_date,
    destination_bank_account: {
      id: row.receiver_id,
      name: row.name,
      cpf_cnpj: shown(row.tax_id),
      email: row.email,
      bank_id: row.bank_ispb,
      agency: row.agency,
      agency_digit: row.agency_digit,
      account_type: row.account_type,
      account: row.account,
      account_digit: row.account_digit,
      pix_key: row.pix_key_type === "CPF" ? shown(row.pix_key) : row.pix_key,
      pix_key_type: knownKeyType(row.pix_key_type),
      status: hasReceipt(row.status) ? "VERIFIED" : row.receiver_failure === null ? null : "FAILED",
      status_description: row.receiver_failure || null,
      Bank: bankOf(row.bank_ispb),
    },
    key_holder_name: row.key_holder_name,
    pix_key_validation: row.pix_key_validation ? { cpf_cnpj: shown(row.pix_key_validation) } : null,
    status: row.status,
    status_description: row.status_description,
    created_at: row.created_at.toISOString(),
    transfer_date: instantOrNull(row.transfer_date),
    returned_date: instantOrNull(row.returned_date),
    end_to_end_id: row.end_to_end_id,
    refunds:
      row.status === "RETURNED" && row.returned_date
        ? [
            {
              id: row.id,
              amount: row.value ?? 0,
              settled_at: row.returned_date.toISOString(),
              // A payment that never left has no return id of its own: the order that did not arrive names it
              // (TRF-003).
              authorization_code: row.return_code ?? row.end_to_end_id,
            },
          ]
        : [],
    emv: row.emv,
    emv_data: row.emv_data && emvDataOf(row.emv_data),
    bank_receipt_url: hasReceipt(row.status) ? bankReceiptAddress(row.id) : null,
    receipt_url: hasReceipt(row.status) ? receiptAddress(row.id) : null,
    ...issuesNow(row, facts),
    sheet_row: row.sheet_row,
    sheet_cells: row.sheet_cells,
    // Marks would reveal a document that is shown masked.
    data_marks: isSent ? [] : (row.data_marks ?? []),
  };
}

/** Converts the wire shape of a destination into that of the rules. */
export function destinationFrom(to: DestinationInput): Destination {
  return {
    name: to.name ?? null,
    taxId: to.cpf_cnpj ?? null,
    email: to.email ?? null,
    bankIspb: to.bank_id ?? null,
    agency: to.agency ?? null,
    agencyDigit: to.agency_digit ?? null,
    account: to.account ?? null,
    accountDigit: to.account_digit ?? null,
    accountType: to.account_type ?? null,
    pixKeyType: to.pix_key_type ?? null,
    pixKey: to.pix_key ?? null,
  };
}

/** Returns the destination of a payment as one line. */
export function placeOf({
  pixKey,
  bankIspb,
  agency,
  account,
  accountDigit,
}: Pick<Destination, "pixKey" | "bankIspb" | "agency" | "account" | "accountDigit">): string {
  if (pixKey) return `Pix ${pixKey}`;
  const bank = bankIspb ? (findBankByIspb(bankIspb)?.name ?? bankIspb) : "Sem banco";
  return `${bank}, agência ${agency ?? ""}, conta ${account ?? ""}-${accountDigit ?? ""}`;
}

/** Returns the destination of a payment as its approver reads it, with documents in keys masked. */
export const shownPlaceOf = (draft: Destination): string =>
  placeOf(draft.pixKey ? { ...draft, pixKey: maskPixKey(draft.pixKeyType ?? "", draft.pixKey) } : draft);

/** Converts a row into the wire input. Leaves out the Pix code, which means the stored one. */
export const inputOf = (row: TransferRow): TransferInput => ({
  value: row.value,
  integration_id: row.integration_id,
  destination_bank_account: {
    name: row.name,
    cpf_cnpj: row.tax_id,
    email: row.email,
    bank_id: row.bank_ispb,
    agency: row.agency,
    agency_digit: row.agency_digit,
    account_type: accountTypes.find((type) => type === row.account_type) ?? null,
    account: row.account,
    account_digit: row.account_digit,
    pix_key: row.pix_key,
    pix_key_type: knownKeyType(row.pix_key_type),
  },
  pix_key_validation: row.pix_key_validation ? { cpf_cnpj: row.pix_key_validation } : null,
  pix_description: row.pix_description,
});

export const codeFrom = (emv: string | null | undefined, charges: ReadCharges) =>
  emv?.trim() ? { emv: emv.trim(), charge: charges.get(emv.trim()) ?? null } : {};

/** Returns the charge of a Pix code in its wire shape (TRF-004). */
const emvDataOf = (charge: PixCharge): NonNullable<Transfer["emv_data"]> => ({
  type: charge.type,
  amount: charge.amount,
  due_date: charge.dueDate,
  fine_amount: charge.fine,
  interest_amount: charge.interest,
  discount_amount: charge.discount,
  abatment_amount: charge.abatement,
  txid: charge.txid,
});

export function draftFrom(input: TransferInput): TransferDraft {
  return {
    ...destinationFrom(input.destination_bank_account),
    pixKeyValidation: input.pix_key_validation?.cpf_cnpj ?? null,
    value: input.value,
    paymentDate: input.payment_date ?? null,
    pixDescription: input.pix_description ?? null,
    integrationId: input.integration_id ?? null,
  };
}
