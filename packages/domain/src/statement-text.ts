/** Names of the statement's entries (STM-012), on the page and in its files. */
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
  /** An addition to the requirement: the acquirer's fee of a card sale. */
  FEE: "tarifa",
} as const;
