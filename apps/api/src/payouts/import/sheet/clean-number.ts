import { type Cents, cents } from "@malote/domain/money";

const plainInteger = /^-?\d+$/;
const twoDecimals = /^-?\d{1,13}\.\d\d$/;
/** Fraction of a centavo that counts as float noise: 19.99 may arrive as 19.990000000000002. */
const noiseCents = 0.001;

/**
 * Returns the amount in a number cell; undefined when it has a true fraction of a centavo, which is never rounded away.
 */
export function centsOfNumber(text: string): Cents | undefined {
  const amount = Number(text);
  const amountCents = Math.round(amount * 100);
  if (!Number.isSafeInteger(amountCents) || Math.abs(amount * 100 - amountCents) >= noiseCents)
    return undefined;
  return cents(amountCents);
}

/** Returns a document, agency or account number without decimal point and exponent. */
export function plainNumber(text: string): string {
  return plainInteger.test(text) || text.trim() === "" ? text : String(Number(text));
}

/**
 * Returns a number cell as a Brazilian reads it. The separator is always a comma, because `1.567` as text means one
 * thousand five hundred and sixty-seven when the row is imported again.
 */
export function numberAsShown(text: string): string {
  if (plainInteger.test(text)) return text;
  if (twoDecimals.test(text)) return text.replace(".", ",");
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  const isMoney = centsOfNumber(text) !== undefined && !Number.isInteger(number);
  // Excel keeps fifteen significant digits.
  return (isMoney ? number.toFixed(2) : String(Number(number.toPrecision(15)))).replace(".", ",");
}
