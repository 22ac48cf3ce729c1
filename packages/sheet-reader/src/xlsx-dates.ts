import type { CellTexts } from "./cell-texts.ts";

/** Date formats that Office names by number only; 18 to 21 and 45 to 47 are times and not dates. */
const builtinDateFormats = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58,
]);

const dayMs = 86_400_000;
/**
 * Day 60 is 29 February 1900, which never existed, so from day 61 on counting starts a day before the nominal epoch.
 */
const epoch1900Ms = Date.UTC(1899, 11, 30);
const epoch1904Ms = Date.UTC(1904, 0, 1);
const firstTrueDay1900 = 61;
const lastDay = 2_958_465;
/** The maximum length that Office allows. */
const formatLengthMax = 255;
/** Tolerance for times just before midnight, which are computed and lose their last bits. */
const midnightTolerance = 1e-6;

/**
 * Returns whether a number in this format reads as a day. The file always has English letters, whatever the language.
 */
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

/** Returns the date of a serial number; undefined when it is not a day. */
export function dateOfSerial(serial: number, from1904: boolean, cellTexts: CellTexts): string | undefined {
  const day = Math.floor(serial + midnightTolerance);
  if (!(day >= (from1904 ? 0 : firstTrueDay1900) && day <= lastDay)) return undefined;
  const iso = new Date((from1904 ? epoch1904Ms : epoch1900Ms) + day * dayMs).toISOString();
  return cellTexts.date(iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10));
}

/** Returns the date of a cell of type date, which holds `2026-11-20` or `2026-11-20T00:00:00`. */
export function dateOfIso(text: string, cellTexts: CellTexts): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(text) ?? [];
  return year && month && day ? cellTexts.date(year, month, day) : undefined;
}
