/** Functions of card receivables for the sales that create and settle them. */
export {
  insertReceivables,
  markReceivablesReceived,
  markReceivablesRedone,
  markReceivablesUndone,
  type SaleReceivable,
  salesWithDueReceivables,
  sqlHasDueReceivables,
} from "./store.ts";
