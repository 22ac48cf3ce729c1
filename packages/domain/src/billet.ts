/** The rules of a boleto to be paid: its form, what stands against it, and the day on which it can be paid. */
import { type BilletCode, readBilletCode } from "./billet-code.ts";
import {
  addDays,
  businessDayOnOrAfter,
  type CalendarDate,
  daysBetween,
  formatDate,
  isBusinessDay,
  nextBusinessDay,
  parseDate,
  readDate,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
} from "./calendar.ts";
import { type Issue, type IssueCode, severityOf } from "./issues.ts";
import { billetDescriptionLengthMax, draftValueMax, integrationIdMax, scheduleDaysMax } from "./limits.ts";
import { type Cents, cents } from "./money.ts";
import {
  type AmountDue,
  amountDue,
  type BilletOutcome,
  isTakenOn,
  type RegisteredBillet,
} from "./registered-billet.ts";
import type { TransferCheck } from "./transfer.ts";
import type { TransferStatus } from "./transfer-status.ts";

/** BIL-004. A billet is kept as a payment; these are the words its calls and screens use for how it goes. */
export const billetStatuses = [
  "CREATED",
  "SCHEDULED",
  "EXECUTING",
  "EM_REMESSA",
  "FAILED_INTERNAL",
  "PAID",
  "FINISHED",
  "FAILED",
  "RETURNED",
] as const;
export type BilletStatus = (typeof billetStatuses)[number];

export function billetStatusOf(status: TransferStatus): BilletStatus {
  switch (status) {
    case "TRANSFERRED":
      return "PAID";
    // Its time has come and a worker takes it within the second.
    case "RECEIVED":
      return "EXECUTING";
    case "BEING_RETURNED":
    case "REQUESTED_REFUND":
      return "RETURNED";
    default:
      return status;
  }
}

/** A billet as a person or a sheet gave it. */
export interface BilletDraft {
  /** 44 digits once it was read; what was typed while it is wrong. */
  barcode: string | null;
  value: number | null;
  /** `YYYY-MM-DD`; text that is no date stays, to be shown and refused. Null means today. */
  paymentDate: string | null;
  description: string | null;
  integrationId: string | null;
}

const textOrNull = (text: string | null) => text?.trim() || null;

/** What the register told of a boleto when it was asked last. */
export interface Register {
  outcome: BilletOutcome;
  billet: RegisteredBillet | null;
}

/** The moment a billet is looked at, and what the register told of it, where it was asked. */
export interface Asked extends Moment {
  register?: Register | undefined;
}

/**
 * What the register asks for on the day the billet would run; undefined where it told nothing one could pay by, and for a code
 * without a value, whose payer chooses.
 */
export function priceOf(
  draft: Pick<BilletDraft, "barcode" | "value" | "paymentDate">,
  moment: Moment,
  register: Register | undefined,
): (AmountDue & { runsOn: CalendarDate }) | undefined {
  const billet = register?.outcome === "payable" ? register.billet : null;
  if (!billet || billet.value === 0) return undefined;
  const wanted = draft.paymentDate === null ? null : (parseDate(draft.paymentDate) ?? null);
  const runsOn = billetRunDay(wanted, closesEarly(draft), moment);
  return isTakenOn(billet, runsOn) ? { ...amountDue(billet, runsOn), runsOn } : undefined;
}

/**
 * The form a draft is stored in. The code's own amount always wins over what was typed (BIL-016, BIL-017), and what the register
 * asks for on the day wins over the code's.
 */
export function normaliseBillet(draft: BilletDraft, today: CalendarDate, asked?: Asked): BilletDraft {
  const typed = textOrNull(draft.barcode);
  const code = typed === null ? undefined : readBilletCode(typed, today);
  const date = textOrNull(draft.paymentDate);
  const read = {
    barcode: code?.barcode ?? typed,
    value: code?.value ?? draft.value,
    paymentDate: date && (readDate(date) ?? date),
  };
  return {
    ...read,
    value: (code && asked && priceOf(read, asked, asked.register)?.total) ?? read.value,
    description: textOrNull(draft.description),
    integrationId: textOrNull(draft.integrationId),
  };
}

/**
 * Until when a billet handed over today is paid today, by São Paulo's clock. Large ones settle through the reserve system,
 * which closes early, and so do the agreements with utilities and tax offices.
 */
export const billetCutOffs = { usual: "22:00:00", early: "17:00:00" } as const;
export const largeBilletCents = cents(250_000_00);
/** The network takes billets from seven in the morning. */
const opensMs = 7 * 3_600_000;

export function closesEarly({ barcode, value }: Pick<BilletDraft, "barcode" | "value">): boolean {
  return Boolean(barcode?.startsWith("8")) || (value ?? 0) >= largeBilletCents;
}

export interface Moment {
  today: CalendarDate;
  /** `HH:MM:SS` in São Paulo. */
  now: string;
}

/** The business day on which a billet runs that was asked for that day; null and days that have passed mean now. */
export function billetRunDay(
  wanted: CalendarDate | null,
  isEarly: boolean,
  { today, now }: Moment,
): CalendarDate {
  const start = wanted !== null && wanted > today ? wanted : today;
  const cutOff = isEarly ? billetCutOffs.early : billetCutOffs.usual;
  const isTooLate = start === today && isBusinessDay(today) && now > cutOff;
  return isTooLate ? nextBusinessDay(today) : businessDayOnOrAfter(start);
}

/** The moment a billet asked for that day may be handed over: now, or when its day opens. */
export function billetMoment(wanted: CalendarDate | null, isEarly: boolean, now: Date): Date {
  const day = billetRunDay(wanted, isEarly, { today: saoPauloDate(now), now: saoPauloTime(now) });
  const opens = new Date(startOfDay(day).getTime() + opensMs);
  return opens > now ? opens : now;
}

/** The last day on which it is paid without charges: a due date on a day without settlement moves to the next with it. */
export const payableUntil = (dueDate: CalendarDate | null): CalendarDate | null =>
  dueDate && businessDayOnOrAfter(dueDate);

export interface BilletFacts extends Asked {
  maxCents: Cents;
  /** Another payment of the company that was not refused or given back has the same code (BIL-013). */
  isDuplicated: boolean;
}

/** What is kept of a billet beside its complaints. */
export interface BilletToKeep extends BilletDraft {
  dueDate: CalendarDate | null;
  payableUntil: CalendarDate | null;
}

/**
 * What columns of amounts and dates can hold of a checked billet: an impossible amount or a text that is no date is left out.
 * Its complaint stays, so nothing left out is ever read as "no amount" or "today".
 */
export function storableBillet(draft: BilletDraft, today: CalendarDate, asked?: Asked): BilletToKeep {
  const { value, paymentDate } = draft;
  const fits = value !== null && Number.isSafeInteger(value) && value >= 0 && value <= draftValueMax;
  const dueDate = readBilletCode(draft.barcode ?? "", today)?.dueDate ?? null;
  const price = asked && priceOf(draft, asked, asked.register);
  return {
    ...draft,
    value: fits ? value : null,
    paymentDate: paymentDate === null ? null : (parseDate(paymentDate) ?? null),
    dueDate,
    payableUntil: price ? price.until : payableUntil(dueDate),
  };
}

/** Every complaint about a normalised billet at once. */
export function checkBillet(draft: BilletDraft, facts: BilletFacts): TransferCheck {
  const errors: Issue[] = [];
  const warnings: Issue[] = [];
  const report = (issue: Issue) => (severityOf(issue) === "error" ? errors : warnings).push(issue);
  const code = readBilletCode(draft.barcode ?? "", facts.today);

  if (!code) report({ code: "billet_code_invalid", field: "barcode" });
  else if (facts.isDuplicated) report({ code: "billet_duplicated", field: "barcode" });

  const { value } = draft;
  if (value === null || !Number.isSafeInteger(value) || value <= 0)
    report({ code: "value_invalid", field: "value" });
  else if (value > facts.maxCents)
    report({ code: "value_above_max", field: "value", data: { max: facts.maxCents } });

  for (const issue of checkDates(draft, code, facts)) report(issue);
  const told = facts.register && registerCodes[facts.register.outcome];
  if (code && told) report({ code: told, field: "barcode" });

  if (!draft.description) report({ code: "billet_description_missing", field: "description" });
  else if (draft.description.length > billetDescriptionLengthMax)
    report({
      code: "billet_description_too_long",
      field: "description",
      data: { max: billetDescriptionLengthMax },
    });
  if (draft.integrationId && draft.integrationId.length > integrationIdMax)
    report({ code: "integration_id_too_long", field: "integration_id", data: { max: integrationIdMax } });
  return { errors, warnings };
}

/** What the register says against it. It may know better by the time it is paid, so it warns. */
const registerCodes: Partial<Record<BilletOutcome, IssueCode>> = {
  paid: "billet_register_paid",
  unpayable: "billet_register_unpayable",
  not_registered: "billet_register_unknown",
};

/**
 * A billet that is past its due date and whose register still takes it, at what it asks for (BIL-012: the answer BIL_16 counts as
 * valid). Undefined where it is not late, or the register says nothing one could pay by.
 */
function checkLateDates(draft: BilletDraft, code: BilletCode, facts: BilletFacts): Issue[] | undefined {
  const today = priceOf({ ...draft, paymentDate: null }, facts, facts.register);
  if (!today || !code.dueDate || facts.today <= code.dueDate) return undefined;
  const days = daysBetween(code.dueDate, facts.today);
  if (today.daysLate === 0) {
    const until = payableUntil(code.dueDate);
    if (!until) return undefined;
    return [{ code: "billet_overdue_free", field: "barcode", data: { days, until: formatDate(until) } }];
  }
  const date = draft.paymentDate === null ? null : parseDate(draft.paymentDate);
  if (date === undefined) return [{ code: "payment_date_invalid", field: "payment_date" }];
  if (date !== null && date < facts.today) return [{ code: "payment_date_expired", field: "payment_date" }];
  const price = priceOf(draft, facts, facts.register);
  const limit = facts.register?.billet?.limitDate;
  if (!price)
    return [
      {
        code: "billet_paid_after_due",
        field: "payment_date",
        data: { date: limit ? formatDate(limit) : "" },
      },
    ];
  if (draft.value !== price.total)
    return [{ code: "billet_amount_changed", field: "value", data: { total: price.total } }];
  return [{ code: "billet_overdue_charged", field: "barcode", data: { days, total: price.total } }];
}

/**
 * BIL-012, BIL-018. A billet that not even today's settlement would pay in time is overdue, whatever day was asked for; with
 * another day it could not be saved.
 */
function checkDates(draft: BilletDraft, code: BilletCode | undefined, facts: BilletFacts): Issue[] {
  const isEarly = closesEarly(draft);
  const late = code && checkLateDates(draft, code, facts);
  if (late && late[0]?.code !== "billet_overdue_free") return late;
  const until = payableUntil(code?.dueDate ?? null);
  if (code?.dueDate && until && billetRunDay(null, isEarly, facts) > until)
    return [{ code: "billet_overdue", field: "barcode", data: { date: formatDate(code.dueDate) } }];

  const date = draft.paymentDate === null ? null : parseDate(draft.paymentDate);
  if (date === undefined) return [{ code: "payment_date_invalid", field: "payment_date" }];
  if (date !== null && date < facts.today) return [{ code: "payment_date_expired", field: "payment_date" }];
  if (date !== null && date > addDays(facts.today, scheduleDaysMax))
    return [{ code: "payment_date_too_far", field: "payment_date" }];

  const runsOn = billetRunDay(date, isEarly, facts);
  if (until && runsOn > until)
    return [{ code: "billet_paid_after_due", field: "payment_date", data: { date: formatDate(until) } }];
  const price = priceOf(draft, facts, facts.register);
  if (price && draft.value !== price.total)
    return [{ code: "billet_amount_changed", field: "value", data: { total: price.total } }];
  if (runsOn === (date ?? facts.today)) return late ?? [];
  return [
    ...(late ?? []),
    { code: "billet_next_business_day", field: "payment_date", data: { date: formatDate(runsOn) } },
  ];
}

/** BIL-028: as long as the day before it is paid has not ended. */
export function canCancelBillet(status: BilletStatus, runsOn: CalendarDate, today: CalendarDate): boolean {
  return status === "SCHEDULED" && today < runsOn;
}
