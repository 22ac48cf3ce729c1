/** Brazilian phone numbers, stored as national digits: area code and number, without the country code 55. */

/** The 67 area codes in use. A phone with any other cannot exist, so a payment to it is a typing error. */
const areaCodes: ReadonlySet<string> = new Set(
  (
    "11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 " +
    "61 62 63 64 65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99"
  ).split(" "),
);

const marks = /[\s().-]/g;
const international = /^\+?55(\d{10,11})$/;
const longDistance = /^0(\d{10,11})$/;
const mobile = /^\d{2}9\d{8}$/;
const landline = /^\d{2}[2-5]\d{7}$/;
/** Numbers paid by the called company (0800) or by both sides (0300), the only number of many companies. */
const service = /^0[38]00\d{7}$/;

const isNational = (digits: string) =>
  service.test(digits) ||
  ((mobile.test(digits) || landline.test(digits)) && areaCodes.has(digits.slice(0, 2)));

/** Reads `(11) 98765-4321`, `+55 11 98765-4321`, `5511987654321` and `011987654321` as `11987654321`. */
export function parsePhone(text: string): string | undefined {
  const phone = text.replace(marks, "");
  return [phone, international.exec(phone)?.[1], longDistance.exec(phone)?.[1]].find(
    (digits) => digits !== undefined && isNational(digits),
  );
}

/** True for area code, a nine and eight digits. */
export const isMobile = (national: string): boolean => mobile.test(national) && !service.test(national);

/** Returns `(11) 98765-4321`, `(11) 3456-7890` or `0800 123 4567`; any other text is unchanged. */
export function formatPhone(national: string): string {
  if (service.test(national)) return `${national.slice(0, 4)} ${national.slice(4, 7)} ${national.slice(7)}`;
  if (!isNational(national)) return national;
  return `(${national.slice(0, 2)}) ${national.slice(2, -4)}-${national.slice(-4)}`;
}
