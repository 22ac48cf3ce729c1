/** Refusals about payment links, the checkout and received money. */
import type { Refusal } from "./refusal.ts";

export const ofReceiving = {
  payment_link_date_past: [422, "A data de expiração já passou. Escolha hoje ou um dia depois."],
  payment_link_boleto_off: [
    422,
    "Sua empresa ainda não recebe por boleto. Escolha outro método ou fale com o suporte.",
  ],
  payment_link_card_off: [
    422,
    "Sua empresa ainda não recebe por cartão de crédito. Escolha outro método ou fale com o suporte.",
  ],
  payment_link_due_days_missing: [422, "Data de expiração do boleto é obrigatório"],
  payment_link_rate_invalid: [
    422,
    "Juros e multa do boleto têm um valor fixo ou um percentual, conforme o tipo. Confira e tente de novo.",
  ],
  payment_link_installments_over: [422, "Este valor pode ser parcelado em até {max} vezes."],
  payment_link_paid: [409, "O link não pode ser excluído pois já foi recebido"],
  payment_link_being_paid: [
    409,
    "Um pagamento deste link com cartão está em andamento. Aguarde alguns minutos e tente excluir de novo.",
  ],

  checkout_not_found: [
    404,
    "Este link de pagamento não existe ou foi cancelado. Confira o endereço ou peça outro a quem o enviou.",
  ],
  checkout_paid: [409, "Este link já foi pago."],
  checkout_being_paid: [
    409,
    "Um pagamento deste link com cartão está em andamento. Aguarde um minuto e tente de novo.",
  ],
  checkout_expired: [409, "Este link de pagamento venceu. Peça outro a quem o enviou."],
  checkout_method_off: [422, "Este link não aceita essa forma de pagamento. Escolha outra."],
  checkout_card_changed: [
    409,
    "A tentativa anterior ficou sem resposta e foi cancelada. Nada foi cobrado: confira os dados e pague de novo.",
  ],
  checkout_invalid: [422, "Confira estes dados e tente de novo: {fields}."],
  payin_not_refundable: [
    409,
    "Este recebimento não pode ser devolvido. Atualize a página para ver a situação atual.",
  ],
  refund_window_over: [409, "Tempo para devolução excedido"],
  refund_above_refundable: [
    422,
    "O valor passa do que ainda pode ser devolvido. Atualize a página para ver quanto resta.",
  ],
  refund_only_in_full: [422, "Este recebimento só pode ser devolvido por inteiro."],

  infraction_answered: [
    409,
    "Esta infração já foi respondida ou cancelada. Atualize a página para ver a situação atual.",
  ],
  infraction_contested: [409, "Infração já contestada via e-mail"],
  infraction_overdue: [409, "O prazo desta infração terminou, e o valor volta automaticamente ao pagador."],
  infractions_not_pending: [
    409,
    "Não é mais possível aprovar {count} das infrações escolhidas. Atualize a lista e escolha de novo; nenhuma foi aprovada.",
  ],
  analysis_missing: [422, "Escolha entre aprovar e reprovar a infração."],
  defence_too_short: [422, "A descrição da análise deve ter pelo menos 10 caracteres."],
  defence_too_long: [422, "A descrição da análise deve ter no máximo 2000 caracteres."],
  attachment_wrong_kind: [422, "Somente arquivos PDF, ZIP, RAR, PNG ou JPEG são permitidos"],
  attachment_too_large: [413, "O arquivo deve ter no máximo 15 MB"],
  attachment_too_many: [422, "Não é possível adicionar mais de um arquivo"],
  attachment_upload_failed: [400, "Não foi possível receber a defesa. Confira o arquivo e envie de novo."],
  attachment_missing: [404, "Esta infração não tem anexo."],
  attachment_link_over: [404, "Este endereço do anexo não vale mais. Abra a infração para baixá-lo de novo."],
  infraction_exports_at_once: [
    429,
    "Já há {max} exportações em preparo. Aguarde o e-mail de uma delas e peça de novo.",
  ],
  infraction_export_not_ready: [404, "A exportação ainda está sendo preparada. Aguarde o e-mail."],
  infraction_export_expired: [404, "Esta exportação não está mais disponível. Peça de novo."],
} as const satisfies Record<string, Refusal>;
