/**
 * Converts between the two codes of a boleto: the barcode of 44 digits and the typeable line (47 digits for a bank
 * boleto, 48 for a utility or tax bill). Rules: BCB Carta-Circular 2.926/2000, and FEBRABAN's layout of arrecadação.
 */
import { addDays, type CalendarDate, daysBetween, parseDate } from "./calendar.ts";
import { type Cents, cents } from "./money.ts";

/** A bill of a concessionaire or a tax office begins with 8; any other is a bank's (BIL-003). */
export type BoletoKind = "SIMPLE" | "COLLECTION";

export interface BoletoCode {
  kind: BoletoKind;
  /** 44 digits. */
  barcode: string;
  /** Null where the payer chooses the amount. */
  value: Cents | null;
  /** Null where the code has none; a bill of arrecadação never has one in a fixed place. */
  dueDate: CalendarDate | null;
  /** The bank's COMPE code; null for arrecadação. */
  bankCode: string | null;
}

/** Returns the modulo-10 digit: from the right, weights 2 and 1 alternate; 9 is subtracted from products above 9. */
function modulo10(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const product = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return (10 - (sum % 10)) % 10;
}

/** Returns the sum modulo 11; from the right, the weights 2 to 9 repeat. */
function remainder11(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++)
    sum += Number(digits.at(-1 - place)) * (2 + (place % 8));
  return sum % 11;
}

/** Returns the general digit of a bank boleto, which is never 0: 0, 10 and 11 become 1. */
function bankDigit(digits: string): number {
  const digit = 11 - remainder11(digits);
  return digit > 9 ? 1 : digit;
}

function collectionDigit(digits: string): number {
  const rest = remainder11(digits);
  if (rest <= 1) return 0;
  return rest === 10 ? 1 : 11 - rest;
}

/** Returns the COMPE code of the issuing bank; null for arrecadação. */
export const issuerCode = (barcode: string): string | null =>
  barcode.startsWith("8") ? null : barcode.slice(0, 3);

const withoutGeneralDigit = (barcode: string, place: number) =>
  barcode.slice(0, place) + barcode.slice(place + 1);

/** Rules by position 3, which defines the meaning of the amount and the rule of all check digits. */
const collectionRules: Readonly<
  Record<string, { digit: (digits: string) => number; isAmount: boolean } | undefined>
> = {
  6: { digit: modulo10, isAmount: true },
  7: { digit: modulo10, isAmount: false },
  8: { digit: collectionDigit, isAmount: true },
  9: { digit: collectionDigit, isAmount: false },
};
/**
 * Valid issuers: city, water, energy, telephone, government, other companies, fines, the bank itself. 8 is not
 * assigned.
 */
const segments = "12345679";

const blocksOf = (digits: string, size: number) =>
  Array.from({ length: digits.length / size }, (_, block) => digits.slice(block * size, (block + 1) * size));

function barcodeOfBankLine(line: string): string | undefined {
  const fields = [line.slice(0, 10), line.slice(10, 21), line.slice(21, 32)];
  if (fields.some((field) => modulo10(field.slice(0, -1)) !== Number(field.at(-1)))) return undefined;
  return (
    line.slice(0, 4) +
    line.slice(32, 33) +
    line.slice(33) +
    line.slice(4, 9) +
    line.slice(10, 20) +
    line.slice(21, 31)
  );
}

function barcodeOfCollectionLine(line: string): string | undefined {
  const rule = collectionRules[line.charAt(2)];
  const blocks = blocksOf(line, 12);
  if (!rule || blocks.some((block) => rule.digit(block.slice(0, 11)) !== Number(block.at(-1))))
    return undefined;
  return blocks.map((block) => block.slice(0, 11)).join("");
}

/** Day 0 of the due factor. It reached its maximum, 9999, on 2025-02-21, and restarted at 1000 on the next day. */
const factorBase = parseDate("1997-10-07") as CalendarDate;
const factorsInACycle = 9000;
/** Range of due dates around the day of reading. It is a market convention; no rule is published. */
const dueWindow = { past: 3000, future: 5500 };

/** Returns the due date closer to the day of reading, because every factor has been used twice. */
function dueDateOf(factor: number, today: CalendarDate): CalendarDate | null {
  if (factor < 1000) return null;
  const distance = (date: CalendarDate) => daysBetween(today, date);
  const first = addDays(factorBase, factor);
  const cycle = Math.max(0, Math.round(daysBetween(first, today) / factorsInACycle));
  const candidates = [cycle - 1, cycle, cycle + 1]
    .filter((one) => one >= 0)
    .map((one) => addDays(first, one * factorsInACycle));
  const near = candidates.find(
    (date) => distance(date) >= -dueWindow.past && distance(date) <= dueWindow.future,
  );
  return (
    near ??
    candidates.reduce((best, date) => (Math.abs(distance(date)) < Math.abs(distance(best)) ? date : best))
  );
}

function readBankBarcode(barcode: string, today: CalendarDate): BoletoCode | undefined {
  if (barcode[3] !== "9" || bankDigit(withoutGeneralDigit(barcode, 4)) !== Number(barcode[4]))
    return undefined;
  const value = Number(barcode.slice(9, 19));
  return {
    kind: "SIMPLE",
    barcode,
    value: value > 0 ? cents(value) : null,
    dueDate: dueDateOf(Number(barcode.slice(5, 9)), today),
    bankCode: issuerCode(barcode),
  };
}

function readCollectionBarcode(barcode: string): BoletoCode | undefined {
  const rule = collectionRules[barcode.charAt(2)];
  if (!rule || !segments.includes(barcode.charAt(1))) return undefined;
  if (rule.digit(withoutGeneralDigit(barcode, 3)) !== Number(barcode[3])) return undefined;
  const value = Number(barcode.slice(4, 15));
  return {
    kind: "COLLECTION",
    barcode,
    value: rule.isAmount && value > 0 ? cents(value) : null,
    dueDate: null,
    bankCode: null,
  };
}

/**
 * Reads a barcode or a line, typed or scanned, with or without dots, dashes and blanks. Returns undefined when a digit
 * is wrong or missing. `today` decides which of two due dates a factor means.
 */
export function readBoletoCode(typed: string, today: CalendarDate): BoletoCode | undefined {
  const digits = typed.replace(/[\s.-]/g, "");
  if (!/^\d{44,48}$/.test(digits)) return undefined;
  const isCollection = digits.startsWith("8");
  const lineLength = isCollection ? 48 : 47;
  const barcode =
    digits.length === 44
      ? digits
      : digits.length === lineLength
        ? isCollection
          ? barcodeOfCollectionLine(digits)
          : barcodeOfBankLine(digits)
        : undefined;
  if (!barcode) return undefined;
  return isCollection ? readCollectionBarcode(barcode) : readBankBarcode(barcode, today);
}

/** Returns the factor that `dueDateOf` reads as this date near that day. */
function dueFactor(dueDate: CalendarDate): number {
  const days = daysBetween(factorBase, dueDate);
  return days <= 9999 ? days : 1000 + ((days - 10_000) % factorsInACycle);
}

/**
 * Returns the barcode of a boleto that a bank issues. `freeField`: 25 digits of the bank's own. `value` and `dueDate`
 * are null where the code has none.
 */
export function bankBarcode(issued: {
  bankCode: string;
  dueDate: CalendarDate | null;
  value: Cents | null;
  freeField: string;
}): string {
  const factor = issued.dueDate === null ? "0000" : String(dueFactor(issued.dueDate));
  const rest = factor + String(issued.value ?? 0).padStart(10, "0") + issued.freeField;
  const start = `${issued.bankCode}9`;
  if (!/^\d{43}$/.test(start + rest)) throw new Error("a bank barcode has 44 digits");
  return start + bankDigit(start + rest) + rest;
}

const collectionLine = (barcode: string) =>
  blocksOf(barcode, 11).map((block) => `${block}${collectionRules[barcode.charAt(2)]?.digit(block) ?? ""}`);

function bankLineFields(barcode: string): string[] {
  const free = barcode.slice(19);
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
  return [
    ...fields.map((field) => `${field}${modulo10(field)}`),
    barcode.slice(4, 5),
    barcode.slice(5, 9) + barcode.slice(9, 19),
  ];
}

/** Returns the line of a valid barcode, digits only. */
export function boletoLine(barcode: string): string {
  return (barcode.startsWith("8") ? collectionLine(barcode) : bankLineFields(barcode)).join("");
}

/**
 * Masks of the line as printed on boletos, usable while it is incomplete: its first digit decides between the two
 * forms.
 */
export const boletoLineMasks = {
  SIMPLE: "#####.##### #####.###### #####.###### # ##############",
  COLLECTION: "###########-# ###########-# ###########-# ###########-#",
} as const;

/** Returns a barcode as its line with dots and blanks; returns any other text unchanged. */
export function formatBoletoLine(barcode: string): string {
  if (!/^\d{44}$/.test(barcode)) return barcode;
  const digits = boletoLine(barcode);
  let next = 0;
  return boletoLineMasks[barcode.startsWith("8") ? "COLLECTION" : "SIMPLE"].replaceAll("#", () =>
    digits.charAt(next++),
  );
}
