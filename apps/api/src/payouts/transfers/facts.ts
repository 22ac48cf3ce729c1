import { type CalendarDate, saoPauloTime } from "@malote/domain/calendar";
import type { DataMark } from "@malote/domain/data-marks";
import {
  type CodedDraft,
  type Correction,
  checkTransfer,
  correctKnownErrors,
  normaliseTransfer,
  type TransferFacts,
  transferMethodOf,
} from "@malote/domain/transfer";
import { listBlockedTaxIds, readCompany } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type DayFacts, dayFacts } from "../rules/day-facts.ts";
import type { TransferToWrite } from "./store.ts";

export interface TransferCheckFacts extends TransferFacts, DayFacts {
  today: CalendarDate;
  /** True when check digits that contradict a bank's rule are corrected as a draft is written (SET-012). */
  correctsKnownErrors: boolean;
}

export async function readTransferFacts(tx: Tx, now: Date): Promise<TransferCheckFacts> {
  const [company, blocked] = await Promise.all([readCompany(tx), listBlockedTaxIds(tx)]);
  return {
    ...dayFacts(company, now),
    now: saoPauloTime(now),
    blocked: (taxId) => blocked.has(taxId),
    publicEntityNeedsCaixa: company.settings.publicEntityNeedsCaixa,
    correctsKnownErrors: company.settings.acceptContaCertaSuggestions,
  };
}

/** Returns a payment as it will be stored: normalised, with its method and all its issues. */
export function prepareTransfer(id: string, given: CodedDraft, facts: TransferFacts): TransferToWrite {
  const draft = normaliseTransfer(given);
  return { id, draft, method: transferMethodOf(draft), ...checkTransfer(draft, facts) };
}

/**
 * Prepares a payment like `prepareTransfer`, with automatic correction when the company enables it: each correction is
 * a mark on the payment.
 */
export function prepareDraftTransfer(
  id: string,
  given: CodedDraft,
  facts: TransferCheckFacts,
  now: Date,
): TransferToWrite {
  const prepared = prepareTransfer(id, given, facts);
  if (!facts.correctsKnownErrors) return prepared;
  const { draft, corrections } = correctKnownErrors(prepared.draft, prepared.errors);
  if (corrections.length === 0) return prepared;
  return {
    ...prepareTransfer(id, { ...prepared.draft, ...draft }, facts),
    marks: automaticMarks(corrections, now),
  };
}

export const automaticMarks = (corrections: readonly Correction[], now: Date): DataMark[] =>
  corrections.map((correction) => ({ ...correction, origin: "automatic", by: null, at: now.toISOString() }));
