/** Portuguese names and descriptions of each application and profile (SES-055 to SES-057), defined only here. */
import { type Application, applications, type Profile } from "./policy.ts";

export const applicationNames: Readonly<Record<Application, string>> = {
  payments: "Pagamentos",
  validation: "ContaCerta",
};

export const profileNames: Readonly<Record<Profile, string>> = {
  admin: "Administrador",
  operator: "Operador",
  analyst: "Analista",
};

interface Abilities {
  opening: string;
  /** The parts of the sentence for each application; a part of both appears once. */
  parts: Readonly<Record<Application, readonly string[]>>;
}

const companyData = "gerenciar os dados da empresa";
const abilities: Readonly<Record<Profile, Abilities>> = {
  admin: {
    opening: "Pode",
    parts: {
      payments: [companyData, "criar, editar e aprovar pagamentos"],
      validation: [companyData, "fazer validações de dados"],
    },
  },
  operator: {
    opening: "Pode",
    parts: {
      payments: ["criar, editar e enviar pagamentos para aprovação"],
      validation: ["fazer validações de dados"],
    },
  },
  analyst: {
    opening: "Pode apenas visualizar",
    parts: {
      payments: ["pagamentos", "indicadores"],
      validation: ["validações de dados"],
    },
  },
};

/** Returns one sentence for everything a profile may do in the person's applications. */
export function describeProfile(profile: Profile, allowed: readonly Application[]): string {
  const { opening, parts } = abilities[profile];
  const own = applications.filter((application) => allowed.includes(application));
  const said = [...new Set(own.flatMap((application) => parts[application]))];
  return said.length > 0 ? `${opening} ${joined(said)}.` : "";
}

function joined(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  const others = parts.slice(0, -1);
  if (others.length === 0) return last;
  // A comma precedes a part that is itself a list, so that the two "e" are not read as one list.
  const isList = parts.some((part) => part.includes(" e "));
  return `${others.join(", ")}${isList ? "," : ""} e ${last}`;
}
