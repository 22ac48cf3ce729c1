/** The name of an entry of the statement (STM-012): on the page and in the files made of it. */
export const statementEntryNames = {
  EXPIRED_DEPOSIT: "expirado",
  DEPOSIT: "recebido",
  REFUND: "estornado",
  WITHDRAW: "resgatado",
  PENDING_DEPOSIT: "pendente",
  DEPOSIT_REFUND: "devolvido",
  PENDING_DEPOSIT_REFUND: "pendente",
  CANCELLED_DEPOSIT_REFUND: "cancelado",
  BATCH: "lote pago",
  BLOCKED: "bloqueado",
  BLOCKED_REFUND: "desbloqueado",
  UNLOCKED: "desbloqueado",
  /** In addition to the requirement's: what the acquirer keeps of a card sale. */
  FEE: "tarifa",
} as const;
