import type { ValidationStatus } from "@malote/domain/validation";
import type { ValidationType } from "@malote/domain/validation-types";
import { choice, isUuid, month, naming, opaque, pageNumber, text } from "../shell/search-params.ts";

/** Words of the address bar. */
export const statusWords = {
  validado: "VALID",
  invalido: "INVALID",
  validando: "VALIDATING",
} as const satisfies Record<string, ValidationStatus>;
export const typeWords = {
  basica: "BASIC",
  microdeposito: "MICRO_DEPOSIT",
} as const satisfies Record<string, ValidationType>;

export const statusWordNames = Object.keys(statusWords) as (keyof typeof statusWords)[];
export const typeWordNames = Object.keys(typeWords) as (keyof typeof typeWords)[];

export const validationHistorySearch = {
  busca: text(),
  status: choice(statusWordNames),
  tipo: choice(typeWordNames),
  mes: month,
  pagina: pageNumber,
  /** Validation that is open above the page. */
  validacao: opaque,
};

export const validationSearch = {
  /** Validation whose result is shown. */
  validacao: naming(isUuid),
  /** Validation whose data fill the form again. */
  refazer: naming(isUuid),
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    ValidationPage: typeof validationSearch;
    ValidationHistoryPage: typeof validationHistorySearch;
  }
}
