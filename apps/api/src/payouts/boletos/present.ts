/** Conversion between rows and wire shapes. */

import type { Boleto, BoletoInput } from "@malote/contracts/boletos";
import { bases } from "@malote/contracts/contract";
import { downloadReceipt } from "@malote/contracts/receipts";
import { instantOrNull } from "@malote/contracts/wire";
import { findBankByCode } from "@malote/domain/banks";
import {
  type BoletoDraft,
  boletoStatusOf,
  canCancelBoleto,
  checkBoleto,
  type Register,
} from "@malote/domain/boleto";
import { boletoLine, readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { Issue } from "@malote/domain/issues";
import { hasReceipt } from "@malote/domain/receipt";
import { suspensionIssue } from "@malote/domain/suspended-functions";
import { registerOnWire } from "../lookups/ask-boletos.ts";
import { bankOf, bankReceiptAddress } from "../transfers/present.ts";
import type { BoletoCheckFacts } from "./facts.ts";
import { type BoletoRow, draftOf } from "./store.ts";

/** Returns true when a cell could not be stored as a number, a date or a text: only the stored issue explains it. */
const isUnkept = (row: BoletoRow, { code, field }: Issue) =>
  code === "billet_cell_invalid" ||
  (field === "value" && row.value === null) ||
  (field === "payment_date" && row.payment_date === null);

export const registerOfRow = ({ lookup }: BoletoRow): Register | undefined =>
  lookup ? { outcome: lookup.outcome, boleto: lookup.registered } : undefined;

/** Returns the current issues of a draft; a sent boleto has none. */
function issuesNow(row: BoletoRow, facts: BoletoCheckFacts): { errors: Issue[]; warnings: Issue[] } {
  if (row.status !== "CREATED") return { errors: [], warnings: [] };
  const { errors, warnings } = checkBoleto(draftOf(row), {
    ...facts,
    isDuplicated: row.is_duplicated,
    register: registerOfRow(row),
  });
  const suspension = suspensionIssue("BILLET", facts.suspended);
  return { errors: [...withUnkept(row, errors), ...(suspension ? [suspension] : [])], warnings };
}

/**
 * Merges the issues of a row with the stored ones about cells that it could not store. Leaves out stored issues of the
 * fields in `except`, which were answered.
 */
export function withUnkept(row: BoletoRow, found: readonly Issue[], except: readonly string[] = []): Issue[] {
  const kept = (row.errors ?? []).filter((issue) => isUnkept(row, issue) && !except.includes(issue.field));
  const inPlace = found.map((issue) => kept.find(({ field }) => field === issue.field) ?? issue);
  return [...inPlace, ...kept.filter((issue) => !inPlace.includes(issue))];
}

export function boletoOf(row: BoletoRow, facts: BoletoCheckFacts): Boleto {
  // A closed boleto keeps the due date it was closed with, however long ago that was.
  const code = readBoletoCode(row.barcode ?? "", facts.today);
  const status = boletoStatusOf(row.status);
  const scheduledFor = row.execute_at && saoPauloDate(row.execute_at);
  return {
    id: row.id,
    value: row.value,
    payment_date: row.payment_date,
    due_date: row.due_date,
    barcode: row.barcode,
    digitable_line: code ? boletoLine(code.barcode) : null,
    type: code?.kind ?? null,
    description: row.description,
    integration_id: row.integration_id,
    status,
    status_description: row.status_description,
    bank: bankOf((code?.bankCode && findBankByCode(code.bankCode)?.ispb) || null),
    scheduled_for: scheduledFor,
    can_cancel: scheduledFor !== null && canCancelBoleto(status, scheduledFor, facts.today),
    paid_date: instantOrNull(row.transfer_date),
    returned_date: instantOrNull(row.returned_date),
    created_at: row.created_at.toISOString(),
    batch_id: row.batch_id,
    batch: { id: row.batch_id, name: row.batch_name },
    receipt_url: hasReceipt(row.status) ? bases.payments + downloadReceipt.path.replace(":id", row.id) : null,
    bank_receipt_url: hasReceipt(row.status) ? bankReceiptAddress(row.id) : null,
    register:
      row.lookup &&
      registerOnWire(
        { ...row.lookup, asked_at: new Date(row.lookup.asked_at) },
        {
          value: code?.value ?? null,
          paymentDate: row.payment_date,
        },
        facts,
      ),
    ...issuesNow(row, facts),
    data_marks: row.status === "CREATED" ? (row.data_marks ?? []) : [],
  };
}

/** Converts the wire input into the draft of the rules. */
export const draftFrom = (input: BoletoInput): BoletoDraft => ({
  barcode: input.barcode,
  value: input.value,
  paymentDate: input.payment_date ?? null,
  description: input.description ?? null,
  integrationId: input.integration_id ?? null,
});

/** Converts a row into the wire input. */
export const inputOf = (row: BoletoRow): BoletoInput => ({
  barcode: row.barcode ?? "",
  value: row.value,
  payment_date: row.payment_date,
  description: row.description,
  integration_id: row.integration_id,
});
