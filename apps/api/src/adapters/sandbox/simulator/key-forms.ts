import { normalisePixKey, pixKeyProblem, pixKeyTypes } from "@malote/domain/pix-key";

/** Every form a typed key may be registered under: eleven digits can be a CPF and a mobile. */
export function registeredForms(typed: string): string[] {
  const forms = pixKeyTypes
    .filter((type) => pixKeyProblem(type, typed) === undefined)
    .map((type) => normalisePixKey({ type, key: typed }).key);
  return [...new Set([typed.trim(), ...forms])];
}
