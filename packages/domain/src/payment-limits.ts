/**
 * What a company may send: in one payment, and in sum by day, by night and at weekends, for each kind of payment
 * (COM-035 to COM-038). The sum of a period counts what left in it and what is scheduled for it.
 */
import { boletoMoment } from "./boleto.ts";
import {
  addDays,
  type CalendarDate,
  formatDate,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
} from "./calendar.ts";
import { hourMs } from "./durations.ts";
import type { PaymentType } from "./limits.ts";
import { type Cents, cents, formatBrl } from "./money.ts";

export const paymentTypes = ["PIX", "TEV", "TED", "BILLET"] as const satisfies readonly PaymentType[];

/** The periods that have a sum. */
export const sumPeriods = ["DAILY", "NIGHTLY", "WEEKEND"] as const;
export type SumPeriod = (typeof sumPeriods)[number];

export const limitPeriods = ["TRANSACTION", ...sumPeriods] as const;
export type LimitPeriod = (typeof limitPeriods)[number];

export type LimitTable = Readonly<Record<LimitPeriod, Readonly<Record<PaymentType, Cents>>>>;

const ofEachType = (reais: number): Record<PaymentType, Cents> => {
  const value = cents(reais * 100);
  return { PIX: value, TEV: value, TED: value, BILLET: value };
};

/**
 * The limits where neither the company nor the installation sets one. The sums let the largest payroll of a sheet
 * pass in one day and bound everything else: an installation should set its own.
 */
export const defaultLimits: LimitTable = {
  TRANSACTION: ofEachType(10_000_000),
  DAILY: ofEachType(1_000_000_000),
  NIGHTLY: ofEachType(200_000_000),
  WEEKEND: ofEachType(500_000_000),
};

/** What the operator of the installation decides for all its companies. */
export interface InstallationLimits {
  /** Of a company that has none of its own. */
  limits: LimitTable;
  /** No company raises a limit above it. */
  maxima: LimitTable;
  /** How long a raise waits before it holds. */
  raiseHours: number;
}

/**
 * A raise waits a day at least, so that a thief of a session cannot raise a limit and empty the account at once, and
 * two at most.
 */
export const raiseHours = { min: 24, max: 48 } as const;

export const defaultInstallationLimits: InstallationLimits = {
  limits: defaultLimits,
  maxima: defaultLimits,
  raiseHours: raiseHours.min,
};

/** What a company decided for itself. */
export interface OwnLimits {
  accountLimits?: Readonly<Partial<Record<PaymentType, Cents>>>;
  periodLimits?: Readonly<Partial<Record<SumPeriod, Readonly<Partial<Record<PaymentType, Cents>>>>>>;
}

/**
 * SES-074: the company's limit of the type wins, of one payment Pix's replaces a missing one, and the installation's comes last. An
 * installation that lowers its maximum lowers what companies had above it.
 */
export function limitsOf(
  own: OwnLimits,
  { limits, maxima }: Pick<InstallationLimits, "limits" | "maxima">,
): LimitTable {
  const least = (one: Cents, other: Cents) => (one < other ? one : other);
  const each = (read: (type: PaymentType) => Cents) =>
    ({ PIX: read("PIX"), TEV: read("TEV"), TED: read("TED"), BILLET: read("BILLET") }) as const;
  const sumsOf = (period: SumPeriod) =>
    each((type) => least(own.periodLimits?.[period]?.[type] ?? limits[period][type], maxima[period][type]));
  return {
    TRANSACTION: each((type) =>
      least(
        own.accountLimits?.[type] ?? own.accountLimits?.PIX ?? limits.TRANSACTION[type],
        maxima.TRANSACTION[type],
      ),
    ),
    DAILY: sumsOf("DAILY"),
    NIGHTLY: sumsOf("NIGHTLY"),
    WEEKEND: sumsOf("WEEKEND"),
  };
}

/** One period with a sum of its own: a day, a night, a weekend. */
export interface LimitWindow {
  period: SumPeriod;
  /** The day it begins on: a night's is the evening's, a weekend's its Saturday. */
  day: CalendarDate;
}

const dayBegins = "06:00:00";
const dayEnds = "20:00:00";

/** 0 is Sunday. */
const weekdayOf = (date: CalendarDate) => new Date(Date.parse(date)).getUTCDay();

/** COM-036, COM-038: by daylight it is a day of the week, a holiday or not, or a weekend. */
function daytimeOf(date: CalendarDate): LimitWindow {
  const weekday = weekdayOf(date);
  if (weekday === 6) return { period: "WEEKEND", day: date };
  if (weekday === 0) return { period: "WEEKEND", day: addDays(date, -1) };
  return { period: "DAILY", day: date };
}

/** The period of an instant. 06:00 belongs to the day and 20:00 to the night. */
export function windowAt(instant: Date): LimitWindow {
  const date = saoPauloDate(instant);
  const time = saoPauloTime(instant);
  if (time < dayBegins) return { period: "NIGHTLY", day: addDays(date, -1) };
  if (time >= dayEnds) return { period: "NIGHTLY", day: date };
  return daytimeOf(date);
}

export const isSameWindow = (one: LimitWindow, other: LimitWindow) =>
  one.period === other.period && one.day === other.day;

/**
 * COM-039: TED and boletos have no limit of a night or a weekend. They run on business days alone, and what is taken after
 * eight in the evening still runs on that day, so it counts in the day's sum: the one their company sees and lowers.
 */
const countsByDay = (type: PaymentType) => type === "TED" || type === "BILLET";

/** Whether a company can have a limit of this kind. */
export const hasLimit = (period: LimitPeriod, type: PaymentType): boolean =>
  period === "TRANSACTION" || period === "DAILY" || !countsByDay(type);

/**
 * The period a payment counts in. A payment for a later day leaves at its first instant but counts in the daytime,
 * for which it was planned; unless the night in which it was requested still lasts then, or a night's limit would end
 * at midnight.
 */
export function windowOf(type: PaymentType, leavesAt: Date, now: Date): LimitWindow {
  if (countsByDay(type)) return daytimeOf(saoPauloDate(leavesAt));
  const window = windowAt(leavesAt);
  if (window.period !== "NIGHTLY" || isSameWindow(window, windowAt(now))) return window;
  return daytimeOf(saoPauloDate(leavesAt));
}

const sixInTheMorning = (date: CalendarDate) => new Date(startOfDay(date).getTime() + 6 * hourMs);
const eightInTheEvening = (date: CalendarDate) => new Date(startOfDay(date).getTime() + 20 * hourMs);

/** When the next period of the same kind begins, with nothing counted in it yet. */
export function renewsAt({ period, day }: LimitWindow): Date {
  if (period === "NIGHTLY") return eightInTheEvening(addDays(day, 1));
  if (period === "WEEKEND") return sixInTheMorning(addDays(day, 7));
  let next = addDays(day, 1);
  while (daytimeOf(next).period === "WEEKEND") next = addDays(next, 1);
  return sixInTheMorning(next);
}

/** The running period of a kind, or the next one to begin. */
export function currentWindow(period: SumPeriod, type: PaymentType, now: Date): LimitWindow {
  // Until the network closes, a boleto still counts in the day that is over for other payments.
  const running = type === "BILLET" ? windowOf(type, boletoMoment(null, false, now), now) : windowAt(now);
  if (running.period === period) return running;
  const today = saoPauloDate(now);
  if (period === "NIGHTLY") return { period, day: today };
  let day = saoPauloTime(now) >= dayEnds ? addDays(today, 1) : today;
  while (daytimeOf(day).period !== period) day = addDays(day, 1);
  return daytimeOf(day);
}

/** When the period that runs now is over. */
export function windowEnds(now: Date): Date {
  const today = saoPauloDate(now);
  const time = saoPauloTime(now);
  if (time < dayBegins) return sixInTheMorning(today);
  return time < dayEnds ? eightInTheEvening(today) : sixInTheMorning(addDays(today, 1));
}

/** A sum that would pass its limit. */
export interface LimitShortage extends LimitWindow {
  type: PaymentType;
  limit: Cents;
  /** What others left of it, never below zero. */
  left: Cents;
  /** What is asked for. */
  value: Cents;
  /** More than the whole limit: no period will ever hold it. */
  neverFits: boolean;
}

/** `used` counts what is asked for as well. */
export function shortageOf(
  asked: LimitWindow & { type: PaymentType; value: Cents; used: number },
  limits: LimitTable,
): LimitShortage | undefined {
  const limit = limits[asked.period][asked.type];
  if (asked.used <= limit) return undefined;
  const { period, day, type, value, used } = asked;
  const left = cents(Math.max(0, limit - (used - value)));
  return { period, day, type, limit, left, value, neverFits: value > limit };
}

export const paymentTypeNames: Readonly<Record<PaymentType, string>> = {
  PIX: "Pix",
  TEV: "TEV",
  TED: "TED",
  BILLET: "boleto",
};
export const periodNames: Readonly<Record<LimitPeriod, string>> = {
  TRANSACTION: "por transação",
  DAILY: "diurno",
  NIGHTLY: "noturno",
  WEEKEND: "de fim de semana",
};
const whenTexts: Readonly<Record<SumPeriod, string>> = {
  DAILY: "em",
  NIGHTLY: "na noite de",
  WEEKEND: "no fim de semana de",
};

/** `24/11/2026 às 06h`. */
export const hourText = (instant: Date) =>
  `${formatDate(saoPauloDate(instant))} às ${saoPauloTime(instant).slice(0, 2)}h`;

/** The text of a refusal for a shortage: the limit by its name, what is left of it, and when it renews. */
export function shortageTexts(shortage: LimitShortage) {
  const { period, day, type, limit, left, value } = shortage;
  return {
    name: `limite ${periodNames[period]} de ${paymentTypeNames[type]}`,
    when: `${whenTexts[period]} ${formatDate(day)}`,
    limit: formatBrl(limit),
    left: formatBrl(left),
    value: formatBrl(value),
    renews: hourText(renewsAt(shortage)),
  };
}

/** For a reader of a batch that is not closed yet and would be refused. */
export function shortageNote(shortage: LimitShortage): string {
  const { name, when, limit, left, value, renews } = shortageTexts(shortage);
  return `O lote passa do ${name}: ${when} ele é de ${limit} e restam ${left}, e aqui são ${value}. Ele se renova em ${renews}`;
}

export type LimitChange =
  | { kind: "lowered" }
  | { kind: "restored" }
  | { kind: "raise"; takesEffectAt: Date }
  | { kind: "refused"; code: "limit_unchanged" | "limit_above_maximum" };

/** How long the person who lowered a limit can restore it at once. */
export const restoreHours = 24;

/**
 * A company lowers its possible loss at once; raising it waits. The person who lowered a limit a short while ago
 * restores it at once; no other person does, since the lowering may be a defence against them.
 */
export function decideLimitChange(facts: {
  current: Cents;
  /**
   * The highest value before the caller lowered it within these hours, if no other person lowered it after them; else
   * null.
   */
  before: Cents | null;
  wanted: Cents;
  max: Cents;
  raiseHours: number;
  now: Date;
}): LimitChange {
  const { current, before, wanted, max, now } = facts;
  if (wanted === current) return { kind: "refused", code: "limit_unchanged" };
  if (wanted < current) return { kind: "lowered" };
  if (wanted > max) return { kind: "refused", code: "limit_above_maximum" };
  if (before !== null && wanted <= before) return { kind: "restored" };
  return { kind: "raise", takesEffectAt: new Date(now.getTime() + facts.raiseHours * hourMs) };
}
