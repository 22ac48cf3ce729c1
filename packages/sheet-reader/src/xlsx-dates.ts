import type { CellTexts } from "./cell-texts.ts";

/** Formats that Office only names by number; 18 to 21 and 45 to 47 are times, which are no date. */
const builtinDateFormats = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58,
]);

const dayMs = 86_400_000;
/** Day 60 is a 29 February 1900 that never was, so from day 61 on counting starts one day earlier than it says. */
const epoch1900Ms = Date.UTC(1899, 11, 30);
const epoch1904Ms = Date.UTC(1904, 0, 1);
const firstTrueDay1900 = 61;
const lastDay = 2_958_465;
/** Office allows no longer format. */
const formatLengthMax = 255;
/** Times just before midnight are computed, and lose their last bits. */
const midnightTolerance = 1e-6;

/** Whether a number shown in this format reads as a day. The file always holds English letters, whatever the language. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return builtinDateFormats.has(id);
  if (/^general$/i.test(code.trim())) return false;
  const letters = code
    .slice(0, formatLengthMax)
    .replace(/"[^"]*"/g, "")
    .replace(/\[[^\]]*\]/g, "")
    .replace(/[\\_*]./g, "");
  return /[yd]/i.test(letters) || /mmm/i.test(letters);
}

/** Undefined when it is no day. */
export function dateOfSerial(serial: number, from1904: boolean, cellTexts: CellTexts): string | undefined {
  const day = Math.floor(serial + midnightTolerance);
  if (!(day >= (from1904 ? 0 : firstTrueDay1900) && day <= lastDay)) return undefined;
  const iso = new Date((from1904 ? epoch1904Ms : epoch1900Ms) + day * dayMs).toISOString();
  return cellTexts.date(iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10));
}

/** A cell of type date holds `2026-11-20` or `2026-11-20T00:00:00`. */
export function dateOfIso(text: string, cellTexts: CellTexts): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(text) ?? [];
  return year && month && day ? cellTexts.date(year, month, day) : undefined;
}
