/** What the rules of a payment need to know of the company and of the moment, read once per action. */
import { boletoRunDay } from "@malote/domain/boleto";
import {
  type CalendarDate,
  isBusinessDay,
  saoPauloDate,
  saoPauloTime,
  tedCutOff,
} from "@malote/domain/calendar";
import type { DataMark } from "@malote/domain/data-marks";
import { maxCentsFor } from "@malote/domain/limits";
import type { Cents } from "@malote/domain/money";
import {
  type CodedDraft,
  type Correction,
  checkTransfer,
  correctKnownErrors,
  normaliseTransfer,
  paymentMethodOf,
  type TransferFacts,
} from "@malote/domain/transfer";
import { blockedTaxIds, readCompany, type StoredSettings } from "../../company/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { TransferToWrite } from "./store.ts";

/** What this moment and the company's settings say against a payment that was right when it was written. */
export interface DayFacts extends Pick<TransferFacts, "maxCents"> {
  today: CalendarDate;
  /** In whole seconds, as the domain reads the time. */
  instant: Date;
  /** A TED for today can no longer be sent. */
  tedClosedToday: boolean;
  boletoMaxCents: Cents;
  /** The day on which a boleto runs that is closed now; those of the second kind close early. */
  boletoRunsOn: { usual: CalendarDate; early: CalendarDate };
}

export interface Facts extends TransferFacts, DayFacts {
  today: CalendarDate;
  /** SET-012: check digits that a bank's rule contradicts are put right as a draft is written. */
  correctsKnownErrors: boolean;
}

export function dayFacts({ accountLimits }: Pick<StoredSettings, "accountLimits">, now: Date): DayFacts {
  const today = saoPauloDate(now);
  const moment = { today, now: saoPauloTime(now) };
  return {
    today,
    instant: new Date(Math.floor(now.getTime() / 1000) * 1000),
    maxCents: {
      PIX: maxCentsFor("PIX", accountLimits),
      TED: maxCentsFor("TED", accountLimits),
      TEV: maxCentsFor("TEV", accountLimits),
    },
    tedClosedToday: isBusinessDay(today) && moment.now > tedCutOff,
    boletoMaxCents: maxCentsFor("BILLET", accountLimits),
    boletoRunsOn: { usual: boletoRunDay(null, false, moment), early: boletoRunDay(null, true, moment) },
  };
}

export async function readFacts(tx: Tx, now: Date): Promise<Facts> {
  const [{ settings }, blocked] = await Promise.all([readCompany(tx), blockedTaxIds(tx)]);
  return {
    ...dayFacts(settings, now),
    now: saoPauloTime(now),
    blocked: (taxId) => blocked.has(taxId),
    publicEntityNeedsCaixa: settings.publicEntityNeedsCaixa,
    correctsKnownErrors: settings.acceptContaCertaSuggestions,
  };
}

/** A payment as it will be stored: in its own form, with its method and everything there is to say against it. */
export function prepare(id: string, given: CodedDraft, facts: TransferFacts): TransferToWrite {
  const draft = normaliseTransfer(given);
  return { id, draft, method: paymentMethodOf(draft), ...checkTransfer(draft, facts) };
}

/** As `prepare`, after automatic correction where the company wants it: each correction is a mark on the payment. */
export function prepareDraft(id: string, given: CodedDraft, facts: Facts, now: Date): TransferToWrite {
  const prepared = prepare(id, given, facts);
  if (!facts.correctsKnownErrors) return prepared;
  const { draft, corrections } = correctKnownErrors(prepared.draft, prepared.errors);
  if (corrections.length === 0) return prepared;
  return { ...prepare(id, { ...prepared.draft, ...draft }, facts), marks: automaticMarks(corrections, now) };
}

export const automaticMarks = (corrections: readonly Correction[], now: Date): DataMark[] =>
  corrections.map((correction) => ({ ...correction, origin: "automatic", by: null, at: now.toISOString() }));
