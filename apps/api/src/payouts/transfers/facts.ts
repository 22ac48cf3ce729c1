import { type CalendarDate, saoPauloTime } from "@malote/domain/calendar";
import type { DataMark } from "@malote/domain/data-marks";
import {
  type CodedDraft,
  type Correction,
  checkTransfer,
  correctKnownErrors,
  normaliseTransfer,
  paymentMethodOf,
  type TransferFacts,
} from "@malote/domain/transfer";
import { listBlockedTaxIds, readCompany } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type DayFacts, dayFacts } from "../rules/day-facts.ts";
import type { TransferToWrite } from "./store.ts";

export interface Facts extends TransferFacts, DayFacts {
  today: CalendarDate;
  /** True when check digits that contradict a bank's rule are corrected as a draft is written (SET-012). */
  correctsKnownErrors: boolean;
}

export async function readFacts(tx: Tx, now: Date): Promise<Facts> {
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
export function prepare(id: string, given: CodedDraft, facts: TransferFacts): TransferToWrite {
  const draft = normaliseTransfer(given);
  return { id, draft, method: paymentMethodOf(draft), ...checkTransfer(draft, facts) };
}

/**
 * Prepares a payment like `prepare`, with automatic correction when the company enables it: each correction is a mark
 * on the payment.
 */
export function prepareDraft(id: string, given: CodedDraft, facts: Facts, now: Date): TransferToWrite {
  const prepared = prepare(id, given, facts);
  if (!facts.correctsKnownErrors) return prepared;
  const { draft, corrections } = correctKnownErrors(prepared.draft, prepared.errors);
  if (corrections.length === 0) return prepared;
  return { ...prepare(id, { ...prepared.draft, ...draft }, facts), marks: automaticMarks(corrections, now) };
}

export const automaticMarks = (corrections: readonly Correction[], now: Date): DataMark[] =>
  corrections.map((correction) => ({ ...correction, origin: "automatic", by: null, at: now.toISOString() }));
