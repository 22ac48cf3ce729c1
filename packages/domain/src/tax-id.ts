/** CPF (people) and CNPJ (companies). A CNPJ may contain letters from July 2026 on, so both are strings everywhere. */
export type TaxIdKind = "CPF" | "CNPJ";

const plain = /^[0-9A-Z]*$/;
const separators = /[\s./-]/g;
const cpfPattern = /^\d{11}$/;
const cnpjPattern = /^[0-9A-Z]{12}\d{2}$/;
const oneRepeatedCharacter = /^(.)\1*$/;

/**
 * Returns the document in upper case, without mask and blanks. Other characters stay, so that bad input is refused and
 * not repaired.
 */
export function normaliseTaxId(text: string): string {
  return plain.test(text) ? text : text.toUpperCase().replace(separators, "");
}

/**
 * Returns the weighted sum. `0`..`9` count 0..9, `A` counts 17: the value is the ASCII code minus 48, by the rule of
 * the alphanumeric CNPJ.
 */
function weighted(text: string, length: number, weightOf: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < length; index++) sum += (text.charCodeAt(index) - 48) * weightOf(index);
  return sum;
}

function checkDigit(sum: number): number {
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

const cpfDigit = (text: string, length: number) =>
  checkDigit(weighted(text, length, (index) => length + 1 - index));

// Returns the check digit; from the right, the weights are 2 to 9 and then 2 again.
const cnpjDigit = (text: string, length: number) =>
  checkDigit(weighted(text, length, (index) => ((length - 1 - index) % 8) + 2));

const digitAt = (text: string, index: number) => text.charCodeAt(index) - 48;

/** Accepts masks. The ten repeated numbers pass the sum but were never issued, so they are refused. */
export function isCpf(text: string): boolean {
  const cpf = normaliseTaxId(text);
  return (
    cpfPattern.test(cpf) &&
    !oneRepeatedCharacter.test(cpf) &&
    cpfDigit(cpf, 9) === digitAt(cpf, 9) &&
    cpfDigit(cpf, 10) === digitAt(cpf, 10)
  );
}

/** Accepts numeric and alphanumeric numbers, with masks and lower case. */
export function isCnpj(text: string): boolean {
  const cnpj = normaliseTaxId(text);
  return (
    cnpjPattern.test(cnpj) &&
    !oneRepeatedCharacter.test(cnpj) &&
    cnpjDigit(cnpj, 12) === digitAt(cnpj, 12) &&
    cnpjDigit(cnpj, 13) === digitAt(cnpj, 13)
  );
}

export function isTaxId(text: string): boolean {
  return taxIdKind(text) !== undefined;
}

/** Returns the kind of a valid document; undefined for an invalid one. */
export function taxIdKind(text: string): TaxIdKind | undefined {
  if (isCpf(text)) return "CPF";
  if (isCnpj(text)) return "CNPJ";
  return undefined;
}

/** Adds the mask by length alone, so that half-checked documents can be shown; any other text is unchanged. */
export function formatTaxId(text: string): string {
  const id = normaliseTaxId(text);
  if (cpfPattern.test(id)) {
    return `${id.slice(0, 3)}.${id.slice(3, 6)}.${id.slice(6, 9)}-${id.slice(9)}`;
  }
  if (cnpjPattern.test(id)) {
    return `${id.slice(0, 2)}.${id.slice(2, 5)}.${id.slice(5, 8)}/${id.slice(8, 12)}-${id.slice(12)}`;
  }
  return text;
}

/**
 * Returns a third party's document for display: a CPF as `***.456.789-**`, a CNPJ whole, because companies are public.
 */
export function maskTaxId(text: string): string {
  const id = normaliseTaxId(text);
  if (!cpfPattern.test(id)) return formatTaxId(text);
  return `***.${id.slice(3, 6)}.${id.slice(6, 9)}-**`;
}

const hidingSigns = /[*•●#]/;
const digitOrWholeCpf = /\d|^.{11}$/;
const hiddenByLetters = /^(?=.*X)[\dX]{11}$/;

/**
 * True for a CPF with `*` or similar signs in place of digits, which must never be sent back as a document. A text of
 * signs only, unless it has as many as a CPF has digits, hides nothing and is a wrong document.
 */
export function isObfuscatedTaxId(text: string): boolean {
  const id = normaliseTaxId(text);
  return (hidingSigns.test(id) && digitOrWholeCpf.test(id)) || hiddenByLetters.test(id);
}

/** Returns whether a text is this document as `maskTaxId` shows it, with or without punctuation. */
export const isMaskOf = (text: string | null | undefined, taxId: string | null): boolean =>
  !!text && !!taxId && isObfuscatedTaxId(text) && normaliseTaxId(text) === normaliseTaxId(maskTaxId(taxId));

/** Returns whether a text means this document: whole, with or without punctuation, or as `maskTaxId` shows it. */
export const meansTaxId = (text: string | null | undefined, taxId: string | null): boolean =>
  !!text && !!taxId && (normaliseTaxId(text) === normaliseTaxId(taxId) || isMaskOf(text, taxId));

const digitsOnly = /^\d+$/;

/** Shorter numbers lack so many zeros that they are an error rather than a document. */
const cpfDigitsMin = 7;
const headquarters = "0001";

/**
 * Restores the leading zeros that a spreadsheet drops, only when a valid document results. Numbers of up to nine digits
 * are always valid as both kinds, because the weights of both begin alike. Such a number is a CPF, because companies
 * with such low numbers are a handful of banks; if it ends like a company's headquarters (`191`), the function returns
 * undefined.
 */
export function suggestTaxId(text: string): string | undefined {
  const id = normaliseTaxId(text);
  if (!digitsOnly.test(id) || id.length < cpfDigitsMin || id.length >= 14 || isCpf(id)) return undefined;
  const cpf = id.padStart(11, "0");
  const cnpj = id.padStart(14, "0");
  if (id.length > 10 || !isCpf(cpf)) return isCnpj(cnpj) ? cnpj : undefined;
  return isCnpj(cnpj) && cnpj.slice(8, 12) === headquarters ? undefined : cpf;
}
