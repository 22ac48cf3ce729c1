import {
  addDays,
  type CalendarDate,
  formatDate as formatCalendarDate,
  formatMoment,
  parseDate,
  readDate as readCalendarDate,
  saoPauloDate,
  saoPauloTime,
} from "@malote/domain/calendar";
import { cents, formatBrl, formatAmount as formatPlainAmount } from "@malote/domain/money";
import { systemNow } from "./system-time.ts";

/**
 * Formats values as people write them in Brazil. Figures are built from digits, so no amount passes through a float.
 */

/** `R$ 1.234,56` from whole centavos, without a line break inside. */
export function formatMoney(amount: number): string {
  return unbroken(formatBrl(cents(amount)));
}

/** Keeps each amount in a sentence of the server on one line. */
export const unbroken = (text: string): string => text.replaceAll("R$ ", "R$\u00a0");

/** For a field and for the clipboard, whose readers know plain spaces only. */
export const plainMoney = (amount: number): string => formatBrl(cents(amount));

/** `1.234,56`, for columns whose heading has the R$. */
export function formatAmount(amount: number): string {
  return formatPlainAmount(cents(amount));
}

/** `9.876`, for counts. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ".");
}

/** Singular or plural: `1 lote`, `2 lotes`. */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `20/11/2026`, from a calendar date or from an instant in São Paulo's time. */
export function formatDate(value: string): string {
  return formatCalendarDate(parseDate(value) ?? saoPauloDate(new Date(value)));
}

/** `20/11/2026 16:42`. */
export const formatDateTime = (instant: string): string => formatMoment(new Date(instant));

/** Today's calendar date in São Paulo. */
export const todayIn = (now: Date = systemNow()): CalendarDate => saoPauloDate(now);

/** `hoje 16:42`, `ontem 09:10`, `18/11`: short, for cards. The full moment belongs in the title. */
export function formatNear(instant: string, now: Date = systemNow()): string {
  const moment = new Date(instant);
  const day = saoPauloDate(moment);
  const today = saoPauloDate(now);
  if (day === today) return `hoje ${timeOf(moment)}`;
  if (day === addDays(today, -1)) return `ontem ${timeOf(moment)}`;
  const date = formatCalendarDate(day);
  return day.slice(0, 4) === today.slice(0, 4) ? date.slice(0, 5) : date;
}

const timeOf = (moment: Date) => saoPauloTime(moment).slice(0, 5);

/** `56789-7` of an account or an agency, which may have no digit. */
export const withDigit = (number: string, digit: string | null): string =>
  digit ? `${number}-${digit}` : number;

/**
 * Reads a typed or pasted day: `20/11/2026`, `20-11-2026`, `20.11.2026`, `20 11 2026`, `20112026` or `2026-11-20`. Null
 * when the text is none of these or the day does not exist.
 */
export function readDate(text: string): CalendarDate | null {
  const typed = /^(\d{2})([-/. ]?)(\d{2})\2(\d{4})$/.exec(text.trim());
  return readCalendarDate(typed ? `${typed[1]}/${typed[3]}/${typed[4]}` : text) ?? null;
}

/** `2026-11`. */
export type Month = string;

const monthNames = [
  "janeiro",
  "fevereiro",
  "março",
  "abril",
  "maio",
  "junho",
  "julho",
  "agosto",
  "setembro",
  "outubro",
  "novembro",
  "dezembro",
] as const;

export { monthNames };

export function isMonth(text: unknown): text is Month {
  return typeof text === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

export function currentMonth(now: Date = systemNow()): Month {
  return todayIn(now).slice(0, 7);
}

/** `novembro de 2026`. */
export function formatMonth(month: Month): string {
  return `${monthNames[Number(month.slice(5)) - 1]} de ${month.slice(0, 4)}`;
}

/** First and last day, for calls that take a period. */
export function daysOfMonth(month: Month): { initialDate: string; endDate: string } {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
  return { initialDate: `${month}-01`, endDate: `${month}-${String(last).padStart(2, "0")}` };
}

/** Cuts long names on cards; the full name belongs in the title. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).trimEnd()}…`;
}

/** `Helena Prado` to `HP`. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0]?.[0] ?? "";
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? "") : "";
  return (first + last).toUpperCase();
}
