/** Brazilian phone numbers. Stored as national digits: area code and number, without the country's 55. */
import { areaCodes } from "./area-codes.ts";

const marks = /[\s().-]/g;
const international = /^\+?55(\d{10,11})$/;
const longDistance = /^0(\d{10,11})$/;
const mobile = /^\d{2}9\d{8}$/;
const landline = /^\d{2}[2-5]\d{7}$/;
/** Paid by the company that is called (0800), or by both (0300): for many companies the only number they give. */
const service = /^0[38]00\d{7}$/;

const isNational = (digits: string) =>
  service.test(digits) ||
  ((mobile.test(digits) || landline.test(digits)) && areaCodes.has(digits.slice(0, 2)));

/** `(11) 98765-4321`, `+55 11 98765-4321`, `5511987654321`, `011987654321` all give `11987654321`. */
export function parsePhone(text: string): string | undefined {
  const phone = text.replace(marks, "");
  return [phone, international.exec(phone)?.[1], longDistance.exec(phone)?.[1]].find(
    (digits) => digits !== undefined && isNational(digits),
  );
}

/** Area code, a nine, eight digits. */
export const isMobile = (national: string): boolean => mobile.test(national) && !service.test(national);

/** `(11) 98765-4321`, `(11) 3456-7890`, `0800 123 4567`; what is no phone stays as it is. */
export function formatPhone(national: string): string {
  if (service.test(national)) return `${national.slice(0, 4)} ${national.slice(4, 7)} ${national.slice(7)}`;
  if (!isNational(national)) return national;
  return `(${national.slice(0, 2)}) ${national.slice(2, -4)}-${national.slice(-4)}`;
}
