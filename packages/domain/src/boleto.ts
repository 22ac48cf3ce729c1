/** Rules of an outgoing boleto: its form, its errors, and the day on which it can be paid. */
import { type BoletoCode, readBoletoCode } from "./boleto-code.ts";
import {
  businessDayOnOrAfter,
  type CalendarDate,
  daysBetween,
  formatDate,
  isBusinessDay,
  lastScheduleDay,
  nextBusinessDay,
  parseDate,
  readDate,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
} from "./calendar.ts";
import { hourMs } from "./durations.ts";
import { type Issue, type IssueCode, severityOf } from "./issues.ts";
import { boletoDescriptionLengthMax, draftValueMax, integrationIdMax } from "./limits.ts";
import { textOrNull } from "./line-of-text.ts";
import { type Cents, cents } from "./money.ts";
import type { PaymentStatus } from "./payment-status.ts";
import {
  type AmountDue,
  amountDue,
  type BoletoOutcome,
  isTakenOn,
  type RegisteredBoleto,
} from "./registered-boleto.ts";
import type { TransferCheck } from "./transfer.ts";

/** Statuses that the calls and screens of boletos use (BIL-004). A boleto is stored as a payment. */
export const boletoStatuses = [
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
export type BoletoStatus = (typeof boletoStatuses)[number];

export function boletoStatusOf(status: PaymentStatus): BoletoStatus {
  switch (status) {
    case "TRANSFERRED":
      return "PAID";
    // Due; a worker claims it within a second.
    case "RECEIVED":
      return "EXECUTING";
    case "BEING_RETURNED":
    case "REQUESTED_REFUND":
      return "RETURNED";
    default:
      return status;
  }
}

/** A boleto as a person or a sheet entered it. */
export interface BoletoDraft {
  /** 44 digits, or the text as typed while it is invalid. */
  barcode: string | null;
  value: number | null;
  /** `YYYY-MM-DD`, or invalid text, which is shown and refused. Null means today. */
  paymentDate: string | null;
  description: string | null;
  integrationId: string | null;
}

/** The register's last answer about a boleto. */
export interface Register {
  outcome: BoletoOutcome;
  boleto: RegisteredBoleto | null;
}

/** The moment of the check, and the register's answer, where there is one. */
export interface RegisterCheck extends Moment {
  register?: Register | undefined;
}

/**
 * Returns the amount that the register demands on the day of payment. Returns undefined where its answer has no payable
 * amount, and for a boleto registered without a value, whose payer chooses.
 */
export function priceOf(
  draft: Pick<BoletoDraft, "barcode" | "value" | "paymentDate">,
  moment: Moment,
  register: Register | undefined,
): (AmountDue & { runsOn: CalendarDate }) | undefined {
  const boleto = register?.outcome === "payable" ? register.boleto : null;
  if (!boleto || boleto.value === 0) return undefined;
  const wanted = draft.paymentDate === null ? null : (parseDate(draft.paymentDate) ?? null);
  const runsOn = boletoRunDay(wanted, closesEarly(draft), moment);
  return isTakenOn(boleto, runsOn) ? { ...amountDue(boleto, runsOn), runsOn } : undefined;
}

/**
 * Returns the stored form of a draft. The code's amount always replaces a typed one (BIL-016, BIL-017), and the
 * register's amount of the day replaces the code's.
 */
export function normaliseBoleto(
  draft: BoletoDraft,
  today: CalendarDate,
  registerCheck?: RegisterCheck,
): BoletoDraft {
  const typed = textOrNull(draft.barcode);
  const code = typed === null ? undefined : readBoletoCode(typed, today);
  const date = textOrNull(draft.paymentDate);
  const read = {
    barcode: code?.barcode ?? typed,
    value: code?.value ?? draft.value,
    paymentDate: date && (readDate(date) ?? date),
  };
  return {
    ...read,
    value:
      (code && registerCheck && priceOf(read, registerCheck, registerCheck.register)?.total) ?? read.value,
    description: textOrNull(draft.description),
    integrationId: textOrNull(draft.integrationId),
  };
}

/**
 * Latest time, in São Paulo, to hand a boleto over for payment on the same day. Large ones settle through the reserve
 * system, which closes early, and so do the agreements with utilities and tax offices.
 */
export const boletoCutOffs = { usual: "22:00:00", early: "17:00:00" } as const;
export const largeBoletoCents = cents(250_000_00);
/** The network accepts boletos from seven in the morning. */
const opensMs = 7 * hourMs;

export function closesEarly({ barcode, value }: Pick<BoletoDraft, "barcode" | "value">): boolean {
  return Boolean(barcode?.startsWith("8")) || (value ?? 0) >= largeBoletoCents;
}

export interface Moment {
  today: CalendarDate;
  /** `HH:MM:SS` in São Paulo. */
  now: string;
}

/** Returns the business day on which a boleto requested for that day is paid; null and past days mean now. */
export function boletoRunDay(
  wanted: CalendarDate | null,
  isEarly: boolean,
  { today, now }: Moment,
): CalendarDate {
  const start = wanted !== null && wanted > today ? wanted : today;
  const cutOff = isEarly ? boletoCutOffs.early : boletoCutOffs.usual;
  const isTooLate = start === today && isBusinessDay(today) && now > cutOff;
  return isTooLate ? nextBusinessDay(today) : businessDayOnOrAfter(start);
}

/** Returns the moment at which a boleto requested for that day may be handed over: now, or when its day opens. */
export function boletoMoment(wanted: CalendarDate | null, isEarly: boolean, now: Date): Date {
  const day = boletoRunDay(wanted, isEarly, { today: saoPauloDate(now), now: saoPauloTime(now) });
  const opens = new Date(startOfDay(day).getTime() + opensMs);
  return opens > now ? opens : now;
}

/**
 * Returns the last day of payment without charges: a due date on a day without settlement moves to the next day with
 * it.
 */
export const payableUntil = (dueDate: CalendarDate | null): CalendarDate | null =>
  dueDate && businessDayOnOrAfter(dueDate);

/** Returns the last day that can be chosen, for an overdue boleto the register's; null where there is no limit. */
export function lastPayDay(
  dueDate: CalendarDate | null,
  { today, register }: { today: CalendarDate; register?: Register | undefined },
): CalendarDate | null {
  const until = payableUntil(dueDate);
  if (until === null || until >= today) return until;
  return register?.outcome === "payable" ? (register.boleto?.limitDate ?? null) : null;
}

export interface BoletoFacts extends RegisterCheck {
  maxCents: Cents;
  /** True when another payment of the company with the same code was neither refused nor returned (BIL-013). */
  isDuplicated: boolean;
}

/** The stored fields of a boleto, apart from its errors. */
export interface BoletoToKeep extends BoletoDraft {
  dueDate: CalendarDate | null;
  payableUntil: CalendarDate | null;
}

/**
 * Returns the values that the database columns can hold: it omits an impossible amount and text that is not a date.
 * Their errors are stored, so a missing value is never read as "no amount" or "today".
 */
export function storableBoleto(
  draft: BoletoDraft,
  today: CalendarDate,
  registerCheck?: RegisterCheck,
): BoletoToKeep {
  const { value, paymentDate } = draft;
  const fits = value !== null && Number.isSafeInteger(value) && value >= 0 && value <= draftValueMax;
  const dueDate = readBoletoCode(draft.barcode ?? "", today)?.dueDate ?? null;
  const price = registerCheck && priceOf(draft, registerCheck, registerCheck.register);
  return {
    ...draft,
    value: fits ? value : null,
    paymentDate: paymentDate === null ? null : (parseDate(paymentDate) ?? null),
    dueDate,
    payableUntil: price ? price.until : payableUntil(dueDate),
  };
}

/** Returns every error of a normalised boleto at once. */
export function checkBoleto(draft: BoletoDraft, facts: BoletoFacts): TransferCheck {
  const errors: Issue[] = [];
  const warnings: Issue[] = [];
  const report = (issue: Issue) => (severityOf(issue) === "error" ? errors : warnings).push(issue);
  const code = readBoletoCode(draft.barcode ?? "", facts.today);

  if (!code) report({ code: "billet_code_invalid", field: "barcode" });
  else if (facts.isDuplicated) report({ code: "billet_duplicated", field: "barcode" });

  const { value } = draft;
  if (value === null || !Number.isSafeInteger(value) || value <= 0)
    report({ code: "value_invalid", field: "value" });
  else if (value > facts.maxCents)
    report({ code: "value_above_max", field: "value", data: { max: facts.maxCents } });

  for (const issue of checkDates(draft, code, facts)) report(issue);
  const registerIssue = facts.register && registerCodes[facts.register.outcome];
  if (code && registerIssue) report({ code: registerIssue, field: "barcode" });

  if (!draft.description) report({ code: "billet_description_missing", field: "description" });
  else if (draft.description.length > boletoDescriptionLengthMax)
    report({
      code: "billet_description_too_long",
      field: "description",
      data: { max: boletoDescriptionLengthMax },
    });
  if (draft.integrationId && draft.integrationId.length > integrationIdMax)
    report({ code: "integration_id_too_long", field: "integration_id", data: { max: integrationIdMax } });
  return { errors, warnings };
}

/** Objections of the register. They are warnings only, because they may be outdated by the time of payment. */
const registerCodes: Partial<Record<BoletoOutcome, IssueCode>> = {
  paid: "billet_register_paid",
  unpayable: "billet_register_unpayable",
  not_registered: "billet_register_unknown",
};

const isTooFar = (date: CalendarDate | null, { today }: Moment): boolean =>
  date !== null && date > lastScheduleDay(today);

/**
 * Checks a boleto past its due date that the register still accepts, at the register's amount (BIL-012: the answer
 * BIL_16 counts as valid). Returns undefined where it is not late, or the register gave no payable amount.
 */
function checkLateDates(draft: BoletoDraft, code: BoletoCode, facts: BoletoFacts): Issue[] | undefined {
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
  if (isTooFar(date, facts)) return [{ code: "payment_date_too_far", field: "payment_date" }];
  const price = priceOf(draft, facts, facts.register);
  const limit = facts.register?.boleto?.limitDate;
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
  return [
    { code: "billet_overdue_charged", field: "barcode", data: { days, total: price.total } },
    ...laterDay(price.runsOn, date ?? facts.today),
  ];
}

/** Names the day of payment where it is another than the requested one. */
const laterDay = (runsOn: CalendarDate, requested: CalendarDate): Issue[] =>
  runsOn === requested
    ? []
    : [{ code: "billet_next_business_day", field: "payment_date", data: { date: formatDate(runsOn) } }];

/**
 * Checks the dates (BIL-012, BIL-018). A boleto that could not be paid in time even today is overdue, whatever day was
 * requested, because another day would not help.
 */
function checkDates(draft: BoletoDraft, code: BoletoCode | undefined, facts: BoletoFacts): Issue[] {
  const isEarly = closesEarly(draft);
  const late = code && checkLateDates(draft, code, facts);
  if (late && late[0]?.code !== "billet_overdue_free") return late;
  const until = payableUntil(code?.dueDate ?? null);
  if (code?.dueDate && until && boletoRunDay(null, isEarly, facts) > until)
    return [{ code: "billet_overdue", field: "barcode", data: { date: formatDate(code.dueDate) } }];

  const date = draft.paymentDate === null ? null : parseDate(draft.paymentDate);
  if (date === undefined) return [{ code: "payment_date_invalid", field: "payment_date" }];
  if (date !== null && date < facts.today) return [{ code: "payment_date_expired", field: "payment_date" }];
  if (isTooFar(date, facts)) return [{ code: "payment_date_too_far", field: "payment_date" }];

  const runsOn = boletoRunDay(date, isEarly, facts);
  if (until && runsOn > until)
    return [{ code: "billet_paid_after_due", field: "payment_date", data: { date: formatDate(until) } }];
  const price = priceOf(draft, facts, facts.register);
  if (price && draft.value !== price.total)
    return [{ code: "billet_amount_changed", field: "value", data: { total: price.total } }];
  return [...(late ?? []), ...laterDay(runsOn, date ?? facts.today)];
}

/** Returns whether it may be cancelled: until the end of the day before its payment (BIL-028). */
export function canCancelBoleto(status: BoletoStatus, runsOn: CalendarDate, today: CalendarDate): boolean {
  return status === "SCHEDULED" && today < runsOn;
}
