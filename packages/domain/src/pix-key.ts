import { isEmail, normaliseEmail } from "./email.ts";
import { foldText } from "./fold-text.ts";
import type { IssueCode } from "./issues.ts";
import { formatPhone, isMobile, parsePhone } from "./phone.ts";
import { formatTaxId, isCnpj, isCpf, maskTaxId, normaliseTaxId } from "./tax-id.ts";

export const pixKeyTypes = ["CPF", "CNPJ", "EMAIL", "TELEFONE", "CHAVE_ALEATORIA"] as const;
export type PixKeyType = (typeof pixKeyTypes)[number];
export type PixKey = { type: PixKeyType; key: string };

const typeWords: Readonly<Record<string, PixKeyType>> = {
  cpf: "CPF",
  cnpj: "CNPJ",
  email: "EMAIL",
  telefone: "TELEFONE",
  celular: "TELEFONE",
  fone: "TELEFONE",
  phone: "TELEFONE",
  aleatoria: "CHAVE_ALEATORIA",
  chavealeatoria: "CHAVE_ALEATORIA",
  evp: "CHAVE_ALEATORIA",
};
const betweenWords = /[\s_-]/g;

/** Reads a sheet's key type in any case and with the usual synonyms (`Celular`, `e-mail`, `chave aleatória`). */
export function readPixKeyType(text: string): PixKeyType | undefined {
  const word = foldText(text).replace(betweenWords, "");
  return Object.hasOwn(typeWords, word) ? typeWords[word] : undefined;
}

const randomKey = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns a mobile number; only mobiles may be Pix keys. */
function nationalPhone(text: string): string | undefined {
  const national = parsePhone(text);
  return national && isMobile(national) ? national : undefined;
}

/**
 * Returns the form in which a key is stored and sent, and its real type (a CPF key that holds a CNPJ number becomes
 * CNPJ, and the other way round). An unreadable key comes back trimmed, so that `pixKeyProblem` can name its error.
 *
 * Phones: the requirement drops a '+' and the 2 characters after it. This function drops exactly our country's `+55` to
 * read the number, refuses any other country (dropping `+44` would turn a British number into a stranger's Brazilian
 * one), and writes `+55` back, because the Pix directory stores phones only with it. People see and edit the key
 * without it (`formatPixKey`).
 */
export function normalisePixKey({ type, key }: PixKey): PixKey {
  const text = key.trim();
  if (type === "EMAIL") return { type, key: normaliseEmail(text) };
  if (type === "CHAVE_ALEATORIA") return { type, key: text.toLowerCase() };
  if (type === "TELEFONE") {
    const national = nationalPhone(text);
    return { type, key: national ? `+55${national}` : text };
  }
  const taxId = normaliseTaxId(text);
  if (type === "CPF" && isCnpj(taxId)) return { type: "CNPJ", key: taxId };
  if (type === "CNPJ" && isCpf(taxId)) return { type: "CPF", key: taxId };
  return { type, key: taxId };
}

/** Returns the problem of a key of this type, or undefined. Accepts any form that `normalisePixKey` reads. */
export function pixKeyProblem(type: string, key: string): IssueCode | undefined {
  switch (type) {
    case "CPF":
      return isCpf(key) ? undefined : "pix_key_cpf_invalid";
    case "CNPJ":
      return isCnpj(key) ? undefined : "pix_key_cnpj_invalid";
    case "EMAIL":
      return isEmail(key.trim()) ? undefined : "pix_key_email_invalid";
    case "TELEFONE":
      return nationalPhone(key) ? undefined : "pix_key_phone_invalid";
    case "CHAVE_ALEATORIA":
      return randomKey.test(key.trim().toLowerCase()) ? undefined : "pix_key_invalid";
    default:
      return "pix_key_invalid";
  }
}

const phoneOnlySigns = /^\s*\+|[()]/;
const cpfMask = /^\d{3}\.\d{3}\.\d{3}-\d{2}$/;

/**
 * Returns the only type that a typed key can have. Eleven bare digits may be both a CPF and a mobile (51998259765):
 * then it returns undefined and the person has to choose, because a guess could pay a stranger.
 */
export function detectPixKeyType(text: string): PixKeyType | undefined {
  const key = text.trim();
  if (phoneOnlySigns.test(key)) return nationalPhone(key) ? "TELEFONE" : undefined;
  if (cpfMask.test(key)) return isCpf(key) ? "CPF" : undefined;
  const fitting = pixKeyTypes.filter((type) => pixKeyProblem(type, key) === undefined);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Returns the key as third parties see it: a person's CPF is masked (ruling D15). */
export const maskPixKey = (type: string, key: string): string =>
  type === "CPF" ? maskTaxId(key) : formatPixKey(type, key);

/**
 * Formats a stored key without its type, like `maskPixKey`: a stored phone begins with +55, so eleven digits are a CPF.
 */
export function shownPixKey(key: string): string {
  const type = /^\d{11}$/.test(key) ? "CPF" : detectPixKeyType(key);
  return type ? maskPixKey(type, key) : key;
}

/** Returns the readable form: documents with mask, phones as `(11) 98765-4321`. */
export function formatPixKey(type: string, key: string): string {
  if (type === "CPF" || type === "CNPJ") return formatTaxId(key);
  if (type !== "TELEFONE") return key;
  const national = nationalPhone(key);
  return national ? formatPhone(national) : key;
}
