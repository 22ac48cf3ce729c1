/** Keys that have a prepared state in the sandbox's directory when they are registered; any other key is free. */
import type { PixKeyType } from "@malote/domain/pix-key";

export type FoundAs = "same_owner" | "other_owner" | "refused";

const endings: Readonly<Record<string, { found: FoundAs; outcome: string }>> = {
  "41": {
    found: "same_owner",
    outcome: "Ao cadastrar: é da própria empresa em outra instituição (portabilidade).",
  },
  "42": { found: "other_owner", outcome: "Ao cadastrar: é de outra pessoa (reivindicação, só de celular)." },
  "43": { found: "refused", outcome: "Ao cadastrar: o diretório do Pix não aceita a chave." },
};

const patterns: Readonly<Partial<Record<PixKeyType, RegExp>>> = {
  EMAIL: /^chave\.pix(\d\d)@/,
  TELEFONE: /^\+55119123412(\d\d)$/,
};

export function foundAs(type: PixKeyType, key: string): FoundAs | undefined {
  return endings[patterns[type]?.exec(key)?.[1] ?? ""]?.found;
}

/** Full list of magic keys, for display. */
export const registrationMagicValues = Object.entries(endings).flatMap(([ending, { outcome }]) => [
  { kind: "Chave e-mail da empresa", value: `chave.pix${ending}@exemplo.com.br`, outcome },
  { kind: "Chave celular da empresa", value: `(11) 91234-12${ending}`, outcome },
]);
