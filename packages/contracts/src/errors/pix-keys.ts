/** Refusals about the company's own Pix keys, and about validations and lookups of other keys. */
import type { Refusal } from "./refusal.ts";

export const ofPixKeys = {
  pix_key_phone_invalid: [422, "Número de celular inválido"],
  pix_key_email_invalid: [422, "E-mail inválido"],
  pix_keys_too_many: [
    422,
    "Sua empresa já tem {max} chaves Pix, o máximo permitido. Exclua uma que não usa mais.",
  ],
  pix_key_exists: [409, "Esta chave já está na lista da sua empresa. Abra-a para ver a situação."],
  pix_key_changed: [409, "A situação desta chave mudou. Confira como ela está agora."],
  pix_key_busy: [
    409,
    "Ainda estamos concluindo o último pedido sobre esta chave. Aguarde alguns segundos e tente de novo.",
  ],
  pix_key_code_wrong: [422, "Código incorreto. Confira a mensagem que enviamos e digite de novo."],
  pix_key_code_over: [422, "Este código venceu ou foi errado muitas vezes. Peça um novo código."],
  pix_key_codes_too_many: [
    429,
    "Já enviamos muitos códigos para esta chave. Tente de novo amanhã ou use outra chave.",
  ],
  pix_key_code_too_soon: [429, "Aguarde {seconds} segundos para pedir outro código."],
  pix_key_other_owner: [
    422,
    "Esta chave está em nome de outra pessoa, e este tipo de chave não pode ser reivindicado. Exclua-a e use outra chave.",
  ],
  pix_key_refused: [
    422,
    "O diretório do Pix não aceitou esta chave. Exclua-a e tente de novo, ou use outra chave.",
  ],
  pix_key_claim_open: [
    409,
    "Já há um pedido em andamento sobre esta chave. Tente de novo quando ele terminar.",
  ],
  pix_key_not_movable: [422, "Este tipo de chave não aceita esse pedido."],

  validation_invalid: [422, "Há dados inválidos. Confira os campos em destaque."],
  validation_type_unused: [
    422,
    "Sua empresa não usa este tipo de validação. Escolha outro ou fale com o suporte.",
  ],
  micro_deposit_without_balance: [
    422,
    "O microdepósito de R$ 0,01 sai do saldo da sua empresa, que não é suficiente. Envie saldo e tente de novo.",
  ],
  pix_code_invalid: [422, "Este código Pix não pode ser pago. Copie o código inteiro e cole de novo."],
  too_many_codes: [422, "Envie no máximo {max} códigos Pix de cobrança por vez."],
  lookup_key_invalid: [422, "Esta chave Pix não é válida. Confira o tipo e a chave, e consulte de novo."],
  pix_directory_silent: [
    422,
    "Não foi possível consultar a chave Pix agora. Aguarde um instante e tente de novo.",
  ],
} as const satisfies Record<string, Refusal>;
