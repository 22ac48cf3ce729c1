import { choice, opaque, text } from "./search-params.ts";
import { usePageSearch } from "./use-page-search.ts";

/** Ways to send balance. */
export const sendSteps = ["pix", "conta"] as const;
export type SendStep = (typeof sendSteps)[number];

/** Parameters that open something above any page, and the place inside it. */
export const layerSearch = {
  /** Batch that is open above the page (BAT-023). */
  lote: opaque,
  /** Names a batch in the link of an e-mail (SES-027). */
  modalToken: opaque,
  /** Filter of an open batch's payments; absent means the default for this batch. */
  pagamentos: opaque,
  /** Text by which an open batch's payments are searched. */
  dados: text(),
  /** Id of the open payment of an open batch, or `novo`. */
  pagamento: opaque,
  /** Step of an open batch. */
  etapa: opaque,
  /** Requested receipts, by the link of their e-mail. */
  comprovantes: opaque,
  /** Requested report, by the link of its e-mail. */
  arquivo: opaque,
  "enviar-saldo": choice(sendSteps),
};

export const useLayerSearch = () => usePageSearch(layerSearch);
