import { expect, it } from "vitest";
import { permissionNames } from "./permission-names.ts";
import { permissions } from "./policy.ts";

it("SHL-038 names each function with its own text, in the order of importance", () => {
  expect(Object.entries(permissionNames)).toEqual([
    ["payout_pix", "Pagar por Pix"],
    ["payout_ted", "Pagar por TED"],
    ["payout_boleto", "Pagar boletos"],
    ["payout_automatic_pix", "Pagar por Pix automático"],
    ["payout_pix_refund", "Devolver Pix recebidos"],
    ["balance_withdrawal", "Resgatar saldo"],
    ["payin_pix", "Receber por Pix"],
    ["payin_ted", "Receber por TED"],
    ["payin_boleto", "Receber por boleto"],
    ["payin_credit_card", "Receber por cartão de crédito"],
    ["payin_refund", "Devolver recebimentos"],
    ["payin_cancel", "Cancelar cobranças"],
    ["payin_refund_med", "Devolver valores contestados"],
    ["qrcode_generate", "Gerar QR Code"],
    ["payment_link_generate", "Criar links de pagamento"],
    ["pix_key_register", "Cadastrar chaves Pix"],
    ["pix_key_delete", "Excluir chaves Pix"],
    ["pix_key_accept_portability", "Responder a pedidos de chaves Pix"],
    ["pix_key_dict_query", "Consultar chaves Pix"],
    ["infractions_manage", "Tratar infrações e MED"],
    ["contacerta_validation", "Validar contas"],
    ["user_create", "Cadastrar usuários"],
    ["account_create", "Abrir contas"],
    ["api_credentials_generate", "Gerar credenciais da API"],
    ["api_access", "Usar a API"],
    ["platform_access", "Usar a plataforma"],
  ]);
  expect(Object.keys(permissionNames).sort()).toEqual([...permissions].sort());
});
