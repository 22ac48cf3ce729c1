/**
 * Portuguese names of the statuses and methods of payins (PAY-012, PAY-013, PAY-016, PAY-023). No other table defines
 * them.
 */
import type { PayinStatus, PayinType } from "./payin.ts";

export const payinStatusNames: Readonly<Record<PayinStatus, string>> = {
  pending: "Pendente",
  active: "Ativo",
  authorized: "A receber",
  unauthorized: "Negado",
  received: "Recebido",
  blocked: "Bloqueado",
  refunding: "Processando",
  partially_refunded: "Devolvido",
  refunded: "Devolvido",
  rejected: "Processando",
  canceled: "Cancelado",
  canceled_by_user: "Cancelado",
  canceled_by_psp: "Cancelado",
  expired: "Expirado",
};

export const payinTypeNames: Readonly<Record<PayinType, string>> = {
  pix_key: "Chave Pix",
  pix_static_qrcode: "QR Code Pix estático",
  pix_dynamic_qrcode: "QR Code Pix dinâmico",
  boleto: "Boleto",
  boleto_qrcode: "QR Code do boleto",
  manual: "Manual",
  credit_card: "Cartão de crédito",
  ted: "TED",
};

export const interestNames: Readonly<Record<string, string>> = {
  fixed_per_day: "Valor fixo por dia",
  percentage_per_day: "Percentual ao dia",
  percentage_per_month: "Percentual ao mês",
  percentage_per_year: "Percentual ao ano",
  fixed_per_working_day: "Valor fixo por dia útil",
  percentage_per_working_day: "Percentual ao dia útil",
  percentage_per_month_working_days: "Percentual ao mês, em dias úteis",
  percentage_per_year_working_days: "Percentual ao ano, em dias úteis",
};

export const fineNames: Readonly<Record<string, string>> = {
  fixed: "Valor fixo",
  percentage: "Percentual",
};
