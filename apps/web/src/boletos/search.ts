import type { BoletoPageFilter } from "@malote/contracts/boletos";
import { paymentsSearch, type StatusWords } from "../payments/index.ts";

/** Value in the address bar for each filter, in the order of the menu. */
export const boletoFilterWords: StatusWords<BoletoPageFilter> = {
  criado: { status: "CREATED", label: "Criado" },
  agendado: { status: "SCHEDULED", label: "Agendado" },
  processando: { status: "EXECUTING", label: "Em processamento" },
  pago: { status: "PAID", label: "Pago" },
  falha: { status: "FAILED", label: "Falha" },
  devolvido: { status: "RETURNED", label: "Devolvido" },
};

export const boletosSearch = paymentsSearch(boletoFilterWords);

declare module "../shell/search-params.ts" {
  interface PageSearches {
    BoletosPage: typeof boletosSearch;
  }
}
