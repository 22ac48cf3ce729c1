declare const unit: unique symbol;

/** A whole number of centavos. The branded type prevents mixing it with a count or with reais. */
export type Cents = number & { readonly [unit]: "cents" };

/** Returns exact centavos. Throws for fractions and unsafe integers. */
export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new Error(`not whole centavos: ${amount}`);
  // Turns -0 into 0: it would print as "-0" in logs and differ in Object.is.
  return (amount === 0 ? 0 : amount) as Cents;
}

/** The largest exact amount: R$ 90.071.992.547.409,91. Database columns carry the same bound. */
export const centsMax = cents(Number.MAX_SAFE_INTEGER);

/** Returns the sum. Throws when it is no longer exact. */
export function sumCents(list: Iterable<Cents>): Cents {
  let total = 0;
  for (const amount of list) total = cents(total + amount);
  return cents(total);
}

/** Splits a total; the first shares get the leftover centavos, so the shares always add up to the total. */
export function splitEqually(total: Cents, shareCount: number): Cents[] {
  if (!Number.isInteger(shareCount) || shareCount < 1 || total < 0) {
    throw new Error("nothing to split");
  }
  const leftover = total % shareCount;
  const base = (total - leftover) / shareCount;
  return Array.from({ length: shareCount }, (_, index) => cents(base + (index < leftover ? 1 : 0)));
}

// Accepts one optional minus, before or after the currency sign; the rest is digits and separators.
const amountText = /^(-?)\s*(?:R\$)?\s*(-?)\s*(\d[\d.,]*)$/i;
const plainDigits = /^\d+$/;
const dotGroups = /^[1-9]\d{0,2}(?:\.\d{3})+$/;
const commaGroups = /^[1-9]\d{0,2}(?:,\d{3})+$/;
const twoDecimalsMax = /^\d{1,2}$/;

/**
 * Reads an amount typed or pasted by a Brazilian, digit by digit, never through a float. Returns undefined for an
 * ambiguous text; it never guesses:
 * - `1.234,56` and `1,234.56`: with both signs present, the last one is the decimal sign.
 * - `1.234`: a dot before exactly three digits groups thousands, as people write here, so 1234 reais.
 * - `1234.56`, `1234.5`: a dot before one or two digits is a decimal sign, as spreadsheets export.
 * - `1,234`: a comma is the decimal sign here and three decimals are not money, so undefined.
 * - `1.234.567` and `1,234,567`: a repeated sign can only group.
 * - `0.123`, `1234.567`, `12,`, `,50`: no reading fits, so undefined.
 */
export function parseBrl(text: string): Cents | undefined {
  const parts = amountText.exec(text.trim());
  if (!parts) return undefined;
  const [, outerSign, innerSign, body] = parts as unknown as [string, string, string, string];
  if (outerSign && innerSign) return undefined;

  const amount = splitDecimals(body);
  if (!amount) return undefined;
  const digits = amount.whole + amount.decimals.padEnd(2, "0");
  const value = Number(digits);
  // Number reads a safe integer of at most 16 digits exactly.
  if (!Number.isSafeInteger(value)) return undefined;
  return cents(outerSign || innerSign ? -value : value);
}

function splitDecimals(body: string): { whole: string; decimals: string } | undefined {
  if (plainDigits.test(body)) return { whole: body, decimals: "" };

  const decimalAt = decimalSignIndex(body);
  const whole = body.slice(0, decimalAt);
  const decimals = decimalAt === undefined ? "" : body.slice(decimalAt + 1);
  if (decimalAt !== undefined && !twoDecimalsMax.test(decimals)) return undefined;

  if (plainDigits.test(whole)) return { whole, decimals };
  // The grouping sign cannot be the decimal sign too; a sign that occurs twice was read as grouping above.
  if (dotGroups.test(whole)) return { whole: whole.replaceAll(".", ""), decimals };
  if (commaGroups.test(whole)) return { whole: whole.replaceAll(",", ""), decimals };
  return undefined;
}

/** Returns the position of the decimal sign; undefined when every sign groups thousands. */
function decimalSignIndex(body: string): number | undefined {
  const comma = body.lastIndexOf(",");
  const dot = body.lastIndexOf(".");
  if (comma >= 0 && dot >= 0) return Math.max(comma, dot);
  const sign = comma >= 0 ? "," : ".";
  const last = Math.max(comma, dot);
  if (body.indexOf(sign) !== last) return undefined;
  return sign === "." && dotGroups.test(body) ? undefined : last;
}

const thousands = /\B(?=(\d{3})+$)/g;

/** Returns `1.234,56` for `123456`. It avoids Intl, which is slow in lists and differs between systems. */
export function formatAmount(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(thousands, ".");
  return `${amount < 0 ? "-" : ""}${whole},${digits.slice(-2)}`;
}

/** Returns `R$ 1.234,56` for `123456`, with a normal space so that searches and copies match. */
export function formatBrl(amount: Cents): string {
  return amount < 0 ? `-R$ ${formatAmount(cents(-amount))}` : `R$ ${formatAmount(amount)}`;
}
