/**
 * Limits of a company's outgoing money: per payment, and in sum by day, night and weekend, for each method of payment
 * (COM-035 to COM-038). The sum of a period counts sent and scheduled payments.
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
import type { PaymentMethod } from "./limits.ts";
import { type Cents, cents, formatBrl } from "./money.ts";

export const paymentMethods = ["PIX", "TEV", "TED", "BILLET"] as const satisfies readonly PaymentMethod[];

/** Periods that have a sum. */
export const sumPeriods = ["DAILY", "NIGHTLY", "WEEKEND"] as const;
export type SumPeriod = (typeof sumPeriods)[number];

export const limitPeriods = ["TRANSACTION", ...sumPeriods] as const;
export type LimitPeriod = (typeof limitPeriods)[number];

export type LimitTable = Readonly<Record<LimitPeriod, Readonly<Record<PaymentMethod, Cents>>>>;

const ofEachMethod = (reais: number): Record<PaymentMethod, Cents> => {
  const value = cents(reais * 100);
  return { PIX: value, TEV: value, TED: value, BILLET: value };
};

/**
 * Limits where neither the company nor the installation sets one. The sums let the largest payroll of a sheet pass in
 * one day and bound everything else; an installation should set its own.
 */
export const defaultLimits: LimitTable = {
  TRANSACTION: ofEachMethod(10_000_000),
  DAILY: ofEachMethod(1_000_000_000),
  NIGHTLY: ofEachMethod(200_000_000),
  WEEKEND: ofEachMethod(500_000_000),
};

/** Decisions of the installation's operator for all its companies. */
export interface InstallationLimits {
  /** Limits of a company without its own. */
  limits: LimitTable;
  /** Maxima that no company's raise exceeds. */
  maxima: LimitTable;
  /** Hours until a raise takes effect. */
  raiseHours: number;
}

/**
 * A raise waits at least a day, so that a thief of a session cannot raise a limit and empty the account at once, and at
 * most two.
 */
export const raiseHours = { min: 24, max: 48 } as const;

export const defaultInstallationLimits: InstallationLimits = {
  limits: defaultLimits,
  maxima: defaultLimits,
  raiseHours: raiseHours.min,
};

/** Limits that a company set itself. */
export interface OwnLimits {
  accountLimits?: Readonly<Partial<Record<PaymentMethod, Cents>>>;
  periodLimits?: Readonly<Partial<Record<SumPeriod, Readonly<Partial<Record<PaymentMethod, Cents>>>>>>;
}

/**
 * Returns the limits in force (SES-074): the company's for the method; for a single payment else its limit for Pix;
 * else the installation's. An installation that lowers its maximum also lowers the companies' higher limits.
 */
export function limitsOf(
  own: OwnLimits,
  { limits, maxima }: Pick<InstallationLimits, "limits" | "maxima">,
): LimitTable {
  const least = (one: Cents, other: Cents) => (one < other ? one : other);
  const each = (read: (method: PaymentMethod) => Cents) =>
    ({ PIX: read("PIX"), TEV: read("TEV"), TED: read("TED"), BILLET: read("BILLET") }) as const;
  const sumsOf = (period: SumPeriod) =>
    each((method) =>
      least(own.periodLimits?.[period]?.[method] ?? limits[period][method], maxima[period][method]),
    );
  return {
    TRANSACTION: each((method) =>
      least(
        own.accountLimits?.[method] ?? own.accountLimits?.PIX ?? limits.TRANSACTION[method],
        maxima.TRANSACTION[method],
      ),
    ),
    DAILY: sumsOf("DAILY"),
    NIGHTLY: sumsOf("NIGHTLY"),
    WEEKEND: sumsOf("WEEKEND"),
  };
}

/** One period with its own sum: a day, a night, a weekend. */
export interface LimitWindow {
  period: SumPeriod;
  /** Its first day: a night has its evening's date, a weekend its Saturday's. */
  day: CalendarDate;
}

const dayBegins = "06:00:00";
const dayEnds = "20:00:00";

/** Returns the weekday; 0 is Sunday. */
const weekdayOf = (date: CalendarDate) => new Date(Date.parse(date)).getUTCDay();

/** Returns the daytime period of a date: a day of the week, holiday or not, or a weekend (COM-036, COM-038). */
function daytimeOf(date: CalendarDate): LimitWindow {
  const weekday = weekdayOf(date);
  if (weekday === 6) return { period: "WEEKEND", day: date };
  if (weekday === 0) return { period: "WEEKEND", day: addDays(date, -1) };
  return { period: "DAILY", day: date };
}

/** Returns the period of an instant. 06:00 belongs to the day and 20:00 to the night. */
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
 * TED and boletos have no limit for nights or weekends (COM-039). They run on business days only, and one accepted
 * after 20:00 still runs on that day, so it counts in the day's sum, which the company sees and lowers.
 */
const countsByDay = (method: PaymentMethod) => method === "TED" || method === "BILLET";

/** Returns whether a company can have a limit for this period and method. */
export const hasLimit = (period: LimitPeriod, method: PaymentMethod): boolean =>
  period === "TRANSACTION" || period === "DAILY" || !countsByDay(method);

/**
 * Returns the period in which a payment counts. A payment for a later day leaves at that day's first instant but counts
 * in the daytime, for which it was planned; the exception is a request in the night that still lasts at that instant,
 * because otherwise a night's limit would end at midnight.
 */
export function windowOf(method: PaymentMethod, leavesAt: Date, now: Date): LimitWindow {
  if (countsByDay(method)) return daytimeOf(saoPauloDate(leavesAt));
  const window = windowAt(leavesAt);
  if (window.period !== "NIGHTLY" || isSameWindow(window, windowAt(now))) return window;
  return daytimeOf(saoPauloDate(leavesAt));
}

const sixInTheMorning = (date: CalendarDate) => new Date(startOfDay(date).getTime() + 6 * hourMs);
const eightInTheEvening = (date: CalendarDate) => new Date(startOfDay(date).getTime() + 20 * hourMs);

/** Returns the start of the next period of the same kind, which has a sum of zero. */
export function renewsAt({ period, day }: LimitWindow): Date {
  if (period === "NIGHTLY") return eightInTheEvening(addDays(day, 1));
  if (period === "WEEKEND") return sixInTheMorning(addDays(day, 7));
  let next = addDays(day, 1);
  while (daytimeOf(next).period === "WEEKEND") next = addDays(next, 1);
  return sixInTheMorning(next);
}

/** Returns the current period of a kind, or the next one. */
export function currentWindow(period: SumPeriod, method: PaymentMethod, now: Date): LimitWindow {
  // Until the network closes, a boleto counts in the day that has ended for other payments.
  const running = method === "BILLET" ? windowOf(method, boletoMoment(null, false, now), now) : windowAt(now);
  if (running.period === period) return running;
  const today = saoPauloDate(now);
  if (period === "NIGHTLY") return { period, day: today };
  let day = saoPauloTime(now) >= dayEnds ? addDays(today, 1) : today;
  while (daytimeOf(day).period !== period) day = addDays(day, 1);
  return daytimeOf(day);
}

/** Returns the end of the current period. */
export function windowEnds(now: Date): Date {
  const today = saoPauloDate(now);
  const time = saoPauloTime(now);
  if (time < dayBegins) return sixInTheMorning(today);
  return time < dayEnds ? eightInTheEvening(today) : sixInTheMorning(addDays(today, 1));
}

/** A sum that would exceed its limit. */
export interface LimitShortage extends LimitWindow {
  method: PaymentMethod;
  limit: Cents;
  /** The remaining amount without this request, never below zero. */
  left: Cents;
  /** The requested amount. */
  value: Cents;
  /** True when the amount exceeds the whole limit, so that no period can hold it. */
  neverFits: boolean;
}

/** Returns the shortage of a request; undefined when it fits. `used` includes the requested amount. */
export function shortageOf(
  requested: LimitWindow & { method: PaymentMethod; value: Cents; used: number },
  limits: LimitTable,
): LimitShortage | undefined {
  const limit = limits[requested.period][requested.method];
  if (requested.used <= limit) return undefined;
  const { period, day, method, value, used } = requested;
  const left = cents(Math.max(0, limit - (used - value)));
  return { period, day, method, limit, left, value, neverFits: value > limit };
}

export const paymentMethodNames: Readonly<Record<PaymentMethod, string>> = {
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

/** Returns, for example, `24/11/2026 às 06h`. */
export const hourText = (instant: Date) =>
  `${formatDate(saoPauloDate(instant))} às ${saoPauloTime(instant).slice(0, 2)}h`;

/** Returns the texts of a refusal for a shortage: the limit by its name, the remaining amount, and the renewal. */
export function shortageTexts(shortage: LimitShortage) {
  const { period, day, method, limit, left, value } = shortage;
  return {
    name: `limite ${periodNames[period]} de ${paymentMethodNames[method]}`,
    when: `${whenTexts[period]} ${formatDate(day)}`,
    limit: formatBrl(limit),
    left: formatBrl(left),
    value: formatBrl(value),
    renews: hourText(renewsAt(shortage)),
  };
}

/** Returns a note for readers of an open batch that would be refused. */
export function shortageNote(shortage: LimitShortage): string {
  const { name, when, limit, left, value, renews } = shortageTexts(shortage);
  return `O lote passa do ${name}: ${when} ele é de ${limit} e restam ${left}, e aqui são ${value}. Ele se renova em ${renews}`;
}

export type LimitChange =
  | { kind: "lowered" }
  | { kind: "restored" }
  | { kind: "raise"; takesEffectAt: Date }
  | { kind: "refused"; code: "limit_unchanged" | "limit_above_maximum" };

/** Hours during which the person who lowered a limit can restore it at once. */
export const restoreHours = 24;

/**
 * Decides on a change of a limit. Lowering takes effect at once; raising waits. The person who lowered a limit a short
 * while ago may restore it at once; other people may not, because the lowering may be a defence against them.
 */
export function decideLimitChange(facts: {
  current: Cents;
  /**
   * The highest value before the caller lowered it within these hours, if no other person lowered it later; else null.
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
