/** A payment card as its holder types it. Its number is checked and passed on, never stored. */
import type { CalendarDate } from "./calendar.ts";

export type CardBrand = "Visa" | "Mastercard" | "Elo" | "American Express" | "Hipercard";

/**
 * Brands by the first digits; more specific ranges come first, because Elo and Hipercard have ranges inside those of
 * others.
 */
const brandPatterns: readonly (readonly [CardBrand, RegExp])[] = [
  [
    "Elo",
    /^(4011|431274|438935|451416|457393|457631|457632|504175|506[67]|509|627780|636297|636368|650[0-7]|6516|6550)/,
  ],
  ["Hipercard", /^(606282|3841)/],
  ["American Express", /^3[47]/],
  ["Mastercard", /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ["Visa", /^4/],
];

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Returns undefined for an unknown brand, whose number may still be valid. */
export const cardBrand = (number: string): CardBrand | undefined =>
  brandPatterns.find(([, pattern]) => pattern.test(digitsOf(number)))?.[0];

/** Checks the Luhn digit of ISO/IEC 7812, which detects one wrong digit and two swapped neighbours. */
export function isCardNumber(typed: string): boolean {
  const digits = digitsOf(typed);
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits.at(-1 - place));
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export interface CardExpiry {
  month: number;
  year: number;
}

/** Reads `09/29` or `09/2029`. */
export function readExpiry(typed: string): CardExpiry | undefined {
  const [, month = "", year = ""] = /^(0[1-9]|1[0-2])\D?(20\d{2}|\d{2})$/.exec(typed.trim()) ?? [];
  if (!month) return undefined;
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) };
}

/** True until the end of the card's month. Cards are issued for at most twenty years. */
export function isCardInTime({ month, year }: CardExpiry, today: CalendarDate): boolean {
  const present = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7));
  const last = year * 12 + month;
  return last >= present && last <= present + 20 * 12;
}

/** True for four digits on American Express, and for three on other brands. */
export function isSecurityCode(code: string, number: string): boolean {
  const brand = cardBrand(number);
  if (brand === undefined) return /^\d{3,4}$/.test(code);
  return new RegExp(`^\\d{${brand === "American Express" ? 4 : 3}}$`).test(code);
}

/**
 * Advice for the payer after a refusal. The bank's exact reason is not shown, because it would help a thief of the
 * card.
 */
export type CardAdvice = "check_card" | "other_card" | "try_later";

const adviceFor: Readonly<Record<string, CardAdvice>> = {
  card_expired: "check_card",
  card_invalid: "check_card",
  card_pin_invalid: "check_card",
  card_security_code_invalid: "check_card",
  payer_institution_not_available: "try_later",
  payer_institution_transaction_error: "try_later",
  processor_transaction_error: "try_later",
  processor_transaction_timeout: "try_later",
};

/** Returns the advice for a reason, which may be a code of PAY-025 or unknown. */
export const cardAdvice = (reason: string | null): CardAdvice =>
  reason !== null && Object.hasOwn(adviceFor, reason) ? (adviceFor[reason] ?? "other_card") : "other_card";
