import { moneyFunctions } from "@malote/domain/suspended-functions";
import type { Permission } from "./policy.ts";

/** Portuguese names of the permissions (SHL-038), in the order of their importance for a company. */
export const permissionNames: Readonly<Record<Permission, string>> = {
  payout_pix: moneyFunctions.payout_pix,
  payout_ted: moneyFunctions.payout_ted,
  payout_boleto: moneyFunctions.payout_boleto,
  payout_automatic_pix: "Pagar por Pix automático",
  payout_pix_refund: moneyFunctions.payout_pix_refund,
  balance_withdrawal: moneyFunctions.balance_withdrawal,
  payin_pix: moneyFunctions.payin_pix,
  payin_ted: "Receber por TED",
  payin_boleto: moneyFunctions.payin_boleto,
  payin_credit_card: moneyFunctions.payin_credit_card,
  payin_refund: moneyFunctions.payin_refund,
  payin_cancel: "Cancelar cobranças",
  payin_refund_med: moneyFunctions.payin_refund_med,
  qrcode_generate: "Gerar QR Code",
  payment_link_generate: "Criar links de pagamento",
  pix_key_register: "Cadastrar chaves Pix",
  pix_key_delete: "Excluir chaves Pix",
  pix_key_accept_portability: "Responder a pedidos de chaves Pix",
  pix_key_dict_query: "Consultar chaves Pix",
  infractions_manage: "Tratar infrações e MED",
  contacerta_validation: "Validar contas",
  user_create: "Cadastrar usuários",
  account_create: "Abrir contas",
  api_credentials_generate: "Gerar credenciais da API",
  api_access: "Usar a API",
  platform_access: "Usar a plataforma",
};
