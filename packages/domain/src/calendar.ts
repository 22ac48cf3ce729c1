import { dayMs, hourMs } from "./durations.ts";

declare const kind: unique symbol;

/** A valid day in the form `YYYY-MM-DD`. Days compare as plain text. */
export type CalendarDate = string & { readonly [kind]: "date" };

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const brazilianDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0);
}

/**
 * Returns a valid day. It avoids Date, which is slow at formatting, because a sheet needs this a hundred thousand
 * times.
 */
function realDate(year: number, month: number, day: number): CalendarDate | undefined {
  // A date outside these years is a typing error or a broken cell, never a payment.
  if (year < 1900 || year > 2199 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return `${year}-${month < 10 ? "0" : ""}${month}-${day < 10 ? "0" : ""}${day}` as CalendarDate;
}

const toDate = (utcMs: number) => new Date(utcMs).toISOString().slice(0, 10) as CalendarDate;
const toMs = (date: CalendarDate) => Date.parse(date);

/** Reads only `YYYY-MM-DD` of a valid day. */
export function parseDate(text: string): CalendarDate | undefined {
  const parts = isoDate.exec(text);
  return parts ? realDate(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined;
}

/** Reads the usual forms `DD/MM/AAAA` and `AAAA-MM-DD`. It refuses two-digit years, which are ambiguous. */
export function readDate(text: string): CalendarDate | undefined {
  const trimmed = text.trim();
  const parts = brazilianDate.exec(trimmed);
  return parts ? realDate(Number(parts[3]), Number(parts[2]), Number(parts[1])) : parseDate(trimmed);
}

/** Returns `DD/MM/AAAA`. */
export function formatDate(date: CalendarDate): string {
  return `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toDate(toMs(date) + days * dayMs);
}

/**
 * Returns the last day for which a payment can be scheduled, one calendar year ahead (29 February becomes the 28th): a
 * mistyped year must not lock money away for a century.
 */
export function lastScheduleDay(today: CalendarDate): CalendarDate {
  const monthAndDay = today.slice(4);
  return `${Number(today.slice(0, 4)) + 1}${monthAndDay === "-02-29" ? "-02-28" : monthAndDay}` as CalendarDate;
}

/** Returns the whole days from one date to another; negative when the second is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return (toMs(to) - toMs(from)) / dayMs;
}

/** Returns a negative number, zero or a positive number, for sorting. */
export function compareDates(left: CalendarDate, right: CalendarDate): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

// The end of the last summer time. From then on São Paulo is UTC-3 all year; the offset is a constant, so that a
// machine's time zone data cannot change a payment's day.
const fixedOffsetSince = Date.UTC(2019, 1, 17, 2);
const offsetMs = 3 * hourMs;

// Only for older instants. It is built on first use, because a formatter costs more than the rest of this file.
let oldTimes: Intl.DateTimeFormat | undefined;

function saoPauloClock(instant: Date): string {
  if (instant.getTime() >= fixedOffsetSince) {
    return new Date(instant.getTime() - offsetMs).toISOString().slice(0, 19);
  }
  oldTimes ??= new Intl.DateTimeFormat("sv-SE", {
    timeZone: "America/Sao_Paulo",
    dateStyle: "short",
    timeStyle: "medium",
  });
  return oldTimes.format(instant).replace(" ", "T");
}

/** Returns the local date in São Paulo at this instant. */
export function saoPauloDate(instant: Date): CalendarDate {
  return saoPauloClock(instant).slice(0, 10) as CalendarDate;
}

/** Returns the local time in São Paulo at this instant, as `HH:MM:SS`. */
export function saoPauloTime(instant: Date): string {
  return saoPauloClock(instant).slice(11);
}

/** Returns `24/11/2026 12:30`, local time in São Paulo (SES-072). */
export const formatMoment = (instant: Date): string =>
  `${formatDate(saoPauloDate(instant))} ${saoPauloTime(instant).slice(0, 5)}`;

/** Returns the first instant of a day in São Paulo; in former summer times it was an hour earlier in UTC. */
export function startOfDay(date: CalendarDate): Date {
  const summer = new Date(`${date}T02:00:00.000Z`);
  return saoPauloDate(summer) === date ? summer : new Date(`${date}T03:00:00.000Z`);
}

/** Returns Easter Sunday by Meeus's rule for the Gregorian calendar. */
function easter(year: number): CalendarDate {
  const century = Math.floor(year / 100);
  const cycle = year % 19;
  const leapCenturies = Math.floor(century / 4);
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * cycle + century - leapCenturies - moonShift + 15) % 30;
  const yearOfCentury = year % 100;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7;
  const late = Math.floor((cycle + 11 * moon + 22 * weekday) / 451);
  const monthAndDay = moon + weekday - 7 * late + 114;
  return toDate(Date.UTC(year, Math.floor(monthAndDay / 31) - 1, (monthAndDay % 31) + 1));
}

/**
 * Returns the national bank holidays (CMN Resolution 4.880/2020), on which TED and boletos do not clear, and the year's
 * last day.
 */
export function bankHolidays(year: number): CalendarDate[] {
  const sunday = easter(year);
  const fixed = ["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "12-25"];
  // Law 14.759/2023 made the day of Zumbi and Black Awareness a national holiday.
  if (year >= 2024) fixed.push("11-20");
  // Banks do not open and nothing clears on 31 December, although the market calendar counts it as a business day.
  fixed.push("12-31");
  const moving = [-48, -47, -2, 60].map((days) => addDays(sunday, days));
  // A set, because Good Friday may fall on 21 April.
  return [...new Set([...fixed.map((day) => `${year}-${day}` as CalendarDate), ...moving])].sort();
}

const holidaysByYear = new Map<string, ReadonlySet<CalendarDate>>();

function isBankHoliday(date: CalendarDate): boolean {
  const year = date.slice(0, 4);
  let holidays = holidaysByYear.get(year);
  if (!holidays) {
    holidays = new Set(bankHolidays(Number(year)));
    holidaysByYear.set(year, holidays);
  }
  return holidays.has(date);
}

/** True on days when TED and boletos settle. Pix and internal transfers run every day. */
export function isBusinessDay(date: CalendarDate): boolean {
  const weekday = new Date(toMs(date)).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !isBankHoliday(date);
}

/** A sheet repeats a few days a hundred thousand times. The bound keeps a hostile sheet from filling the memory. */
const rememberedDaysMax = 1_000;
const businessDays = new Map<CalendarDate, CalendarDate>();

/** Returns the day itself when banks settle on it, else the next day on which they do. */
export function businessDayOnOrAfter(date: CalendarDate): CalendarDate {
  const known = businessDays.get(date);
  if (known !== undefined) return known;
  let day = date;
  while (!isBusinessDay(day)) day = addDays(day, 1);
  if (businessDays.size >= rememberedDaysMax) businessDays.clear();
  businessDays.set(date, day);
  return day;
}

/** Returns the first business day after the given day. */
export function nextBusinessDay(date: CalendarDate): CalendarDate {
  return businessDayOnOrAfter(addDays(date, 1));
}

/** The last second in which a TED still runs on the same day; 16:30:01 is too late. */
export const tedCutOff = "16:30:00";

/** TEDs of a day run from 06:30. */
export const tedOpens = (day: CalendarDate): Date => new Date(startOfDay(day).getTime() + 6.5 * hourMs);

/** Returns the day on which a TED handed over at this instant runs. */
export function tedExecutionDate(instant: Date): CalendarDate {
  const today = saoPauloDate(instant);
  return saoPauloTime(instant) > tedCutOff ? nextBusinessDay(today) : businessDayOnOrAfter(today);
}
