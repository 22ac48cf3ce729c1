import { normalisePixKey, pixKeyProblem, pixKeyTypes } from "@malote/domain/pix-key";

/** Returns all forms under which a typed key may be registered: eleven digits can be a CPF or a mobile number. */
export function registeredForms(typed: string): string[] {
  const forms = pixKeyTypes
    .filter((type) => pixKeyProblem(type, typed) === undefined)
    .map((type) => normalisePixKey({ type, key: typed }).key);
  return [...new Set([typed.trim(), ...forms])];
}
