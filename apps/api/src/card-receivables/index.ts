/** Functions of card receivables for the sales that create and settle them. */
export {
  insertReceivables,
  listSalesWithDueReceivables,
  markReceivablesReceived,
  markReceivablesRedone,
  markReceivablesUndone,
  type SaleReceivable,
  sqlHasDueReceivables,
} from "./store.ts";
