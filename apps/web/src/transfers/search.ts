import type { TransferPageFilter } from "@malote/contracts/transfers";
import { paymentsSearch, type StatusWords } from "../payments/index.ts";

/** Value in the address bar for each filter (TRF-009), in the order of the menu. */
export const filterWords: StatusWords<TransferPageFilter> = {
  criada: { status: "CREATED", label: "Criada" },
  agendada: { status: "SCHEDULED", label: "Agendado" },
  processando: { status: "RECEIVED", label: "Em processamento" },
  transferida: { status: "TRANSFERRED", label: "Transferida" },
  falha: { status: "FAILED", label: "Falha" },
  devolvida: { status: "RETURNED", label: "Devolvida" },
};

export const transfersSearch = paymentsSearch(filterWords);

declare module "../shell/search-params.ts" {
  interface PageSearches {
    TransfersPage: typeof transfersSearch;
  }
}
