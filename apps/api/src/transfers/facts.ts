/** What the rules of a payment need to know of the company and of the moment, read once per action. */
import {
  type CalendarDate,
  isBusinessDay,
  saoPauloDate,
  saoPauloTime,
  tedCutOff,
} from "@malote/domain/calendar";
import { maxCentsFor } from "@malote/domain/limits";
import {
  checkTransfer,
  normaliseTransfer,
  paymentMethodOf,
  type TransferDraft,
  type TransferFacts,
} from "@malote/domain/transfer";
import { blockedTaxIds, readCompany } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { TransferToWrite } from "./store.ts";

export interface Facts extends TransferFacts {
  today: CalendarDate;
  /** A TED for today can no longer be sent. */
  tedClosedToday: boolean;
}

export async function readFacts(tx: Tx, now: Date): Promise<Facts> {
  const { settings } = await readCompany(tx);
  const blocked = await blockedTaxIds(tx);
  const today = saoPauloDate(now);
  const time = saoPauloTime(now);
  return {
    today,
    now: time,
    maxCents: {
      PIX: maxCentsFor("PIX", settings.accountLimits),
      TED: maxCentsFor("TED", settings.accountLimits),
      TEV: maxCentsFor("TEV", settings.accountLimits),
    },
    blocked: (taxId) => blocked.has(taxId),
    publicEntityNeedsCaixa: settings.publicEntityNeedsCaixa,
    tedClosedToday: isBusinessDay(today) && time > tedCutOff,
  };
}

/** A payment as it will be stored: in its own form, with its method and everything there is to say against it. */
export function prepare(id: string, given: TransferDraft, facts: TransferFacts): TransferToWrite {
  const draft = normaliseTransfer(given);
  return { id, draft, method: paymentMethodOf(draft), ...checkTransfer(draft, facts) };
}
