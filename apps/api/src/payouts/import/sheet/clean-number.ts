import { type Cents, cents } from "@malote/domain/money";

const plainInteger = /^-?\d+$/;
const twoDecimals = /^-?\d{1,13}\.\d\d$/;
/** A sheet computes in floats: 19.99 may arrive as 19.990000000000002. Less than a thousandth of a centavo is no money. */
const noiseCents = 0.001;

/** The amount in a number cell; undefined when it has a true fraction of a centavo, which is never rounded away. */
export function centsOfNumber(text: string): Cents | undefined {
  const amount = Number(text);
  const amountCents = Math.round(amount * 100);
  if (!Number.isSafeInteger(amountCents) || Math.abs(amount * 100 - amountCents) >= noiseCents)
    return undefined;
  return cents(amountCents);
}

/** A number that is a document, agency or account: no point, no exponent. */
export function plainNumber(text: string): string {
  return plainInteger.test(text) || text.trim() === "" ? text : String(Number(text));
}

/**
 * A number cell as a Brazilian reads it. Always with comma, because `1.567` as text means one thousand five hundred and
 * sixty-seven when the row is imported again.
 */
export function numberAsShown(text: string): string {
  if (plainInteger.test(text)) return text;
  if (twoDecimals.test(text)) return text.replace(".", ",");
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  const isMoney = centsOfNumber(text) !== undefined && !Number.isInteger(number);
  // Excel itself keeps fifteen digits.
  return (isMoney ? number.toFixed(2) : String(Number(number.toPrecision(15)))).replace(".", ",");
}
